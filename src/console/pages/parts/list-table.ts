import { type Html, type HtmlValue, html } from '../../../report/page/html.js';
import { scrollable } from '../../../report/page/words.js';
import { type Address, hrefOf } from '../../visits/address.js';
import { optionsOf } from './fields.js';

/** A column of a list. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** True where the list can be in the order of it. */
  readonly isSorted?: boolean;
  readonly isNumber?: boolean;
  /** True where words are never broken: codes, states. */
  readonly isShort?: boolean;
  cell(row: Row): HtmlValue;
}

/** The order of a list, as its address says it: `?sort=name` or `?sort=-name` for the last first. */
export interface Order {
  readonly key: string;
  readonly isDescending: boolean;
}

/** The order that an address names; `usual` where it names none of the list. */
export function orderOf<Row>({ query }: Address, columns: readonly Column<Row>[], usual: Order): Order {
  const { sort = '' } = query;
  const key = sort.replace(/^-/, '');
  const isKnown = columns.some((column) => column.isSorted && column.key === key);
  return isKnown ? { key, isDescending: sort.startsWith('-') } : usual;
}

/** A list as a table, whose heads are links that sort it. The first column names the row; on a phone each cell names its column. */
export function listTable<Row>(
  caption: string,
  {
    rows,
    columns,
    address,
    order,
  }: {
    readonly rows: readonly Row[];
    readonly columns: readonly Column<Row>[];
    readonly address: Address;
    readonly order: Order;
  },
): Html {
  const head = columns.map((column) => {
    const { key, title, isNumber = false, isSorted = false } = column;
    const cls = isNumber ? html` class="n"` : '';
    if (!isSorted) return html`<th scope="col"${cls}>${title}</th>`;
    const isOwn = order.key === key;
    const sort = isOwn && !order.isDescending ? `-${key}` : key;
    const state = isOwn ? html` aria-sort="${order.isDescending ? 'descending' : 'ascending'}"` : '';
    const sign = isOwn ? html` <span aria-hidden="true">${order.isDescending ? '↓' : '↑'}</span>` : '';
    return html`<th scope="col"${cls}${state}><a href="${hrefOf(address, { sort, after: null, page: null })}">${title}${sign}</a></th>`;
  });
  const body = rows.map(
    (row) => html`<tr>${columns.map(({ title, isNumber = false, isShort = false, cell }, index) => {
      const cls = isNumber ? html` class="n"` : isShort ? html` class="short"` : '';
      return index === 0
        ? html`<th scope="row"${cls}>${cell(row)}</th>`
        : html`<td${cls} data-title="${title}">${cell(row)}</td>`;
    })}</tr>
`,
  );
  return scrollable(
    caption,
    html`<table class="list cards"><caption><span>${caption}</span></caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table>`,
  );
}

/** Rows that are few enough to be sorted here. @param keyOf what a column sorts by; null comes last. */
export function sortedRows<Row>(
  rows: readonly Row[],
  { key, isDescending }: Order,
  keyOf: (row: Row, key: string) => string | number | null,
): Row[] {
  const sign = isDescending ? -1 : 1;
  return [...rows].sort((left, right) => {
    const [a, b] = [keyOf(left, key), keyOf(right, key)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * String(a).localeCompare(String(b), 'en', { numeric: true });
  });
}

/** A form that narrows a list by its address. */
export function filterForm({ path, query }: Address, fields: readonly FilterField[]): Html {
  const kept = Object.entries(query).filter(
    ([name]) => !['after', 'page'].includes(name) && !fields.some((field) => field.name === name),
  );
  return html`<form class="filter" method="get" action="${path}" role="search">${kept.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
${fields.map((field) => filterField(field, query[field.name] ?? ''))}
<button>Show</button></form>`;
}

/** A field of a filter: with choices one of them, else any text. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** The choice that holds where the address names none; absent: any. */
  readonly usual?: string;
}

function filterField({ name, label, choices, usual }: FilterField, asked: string): Html {
  const value = asked === '' ? (usual ?? '') : asked;
  const id = `filter-${name}`;
  const input =
    choices === undefined
      ? html`<input id="${id}" name="${name}" type="search" value="${value}" maxlength="200" autocomplete="off">`
      : html`<select id="${id}" name="${name}">${usual === undefined ? html`<option value="">any</option>` : ''}${optionsOf(choices, value)}</select>`;
  return html`<p class="field"><label for="${id}">${label}</label> ${input}</p>`;
}

/** The way to the next page of a list, and back to its first. @param next the cursor of the next page; null: this is the last. */
export function pager(address: Address, next: string | null, name = 'after'): Html {
  const isFirst = (address.query[name] ?? '') === '';
  if (isFirst && next === null) return html``;
  return html`<nav class="pager" aria-label="Further rows"><ul>
${isFirst ? '' : html`<li><a href="${hrefOf(address, { [name]: null })}">First page</a></li>`}
${next === null ? '' : html`<li><a href="${hrefOf(address, { [name]: next })}" rel="next">Next page</a></li>`}
</ul></nav>`;
}
