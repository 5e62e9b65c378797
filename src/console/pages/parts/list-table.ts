import { type Html, type HtmlValue, html } from '../../../report/page/html.js';
import { tableFrame } from '../../../report/page/words.js';
import { numberText } from '../../../report/text/counted.js';
import { type Address, hrefOf } from '../../work/visit.js';
import { type Choice, hiddenFields, optionsOf } from './fields.js';

export const PAGE_ROWS = 50;

export interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** True where words are never broken: codes, states. */
  readonly isShort?: boolean;
  cell(row: Row): HtmlValue;
}

/** A list as a table. The first column names the row; on a phone each cell names its column. */
export function listTable<Row>(caption: string, rows: readonly Row[], columns: readonly Column<Row>[]): Html {
  const head = columns.map(
    ({ title, isNumber = false }) => html`<th scope="col"${isNumber ? html` class="n"` : ''}>${title}</th>`,
  );
  const body = rows.map(
    (row) => html`<tr>${columns.map(({ title, isNumber = false, isShort = false, cell }, index) => {
      const cls = isNumber ? html` class="n"` : isShort ? html` class="short"` : '';
      const value = cell(row);
      const shown = typeof value === 'number' ? numberText(value) : value;
      return index === 0
        ? html`<th scope="row"${cls}>${shown}</th>`
        : html`<td${cls} data-title="${title}">${shown}</td>`;
    })}</tr>
`,
  );
  return tableFrame(caption, 'list cards', caption, head, body);
}

/** The fields that narrow a list; the script folds them on a phone. */
export function filterForm({ path, query }: Address, fields: readonly FilterField[]): Html {
  const activeFilters = fields.filter(
    ({ name, usual = '' }) => !['', usual].includes(query[name] ?? ''),
  ).length;
  const otherParams = Object.entries(query).filter(
    ([name]) => name !== 'after' && !fields.some((field) => field.name === name),
  );
  return html`<details class="filters" open><summary>Filter${activeFilters === 0 ? '' : ` (${activeFilters})`}</summary>
<form class="filter" method="get" action="${path}" role="search">${hiddenFields(Object.fromEntries(otherParams))}
${fields.map((field) => filterField(field, query[field.name] ?? ''))}
<button>Show</button></form></details>`;
}

/** A field of a filter: with choices one of them, else any text, or a day. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly choices?: readonly Choice[];
  readonly isDay?: boolean;
  /** The choice that holds where the address names none; absent: any. */
  readonly usual?: string;
}

function filterField({ name, label, choices, isDay = false, usual }: FilterField, param: string): Html {
  const value = param === '' ? (usual ?? '') : param;
  const id = `filter-${name}`;
  const input =
    choices === undefined
      ? html`<input id="${id}" name="${name}" type="${isDay ? 'date' : 'search'}" value="${value}" maxlength="200" autocomplete="off">`
      : html`<select id="${id}" name="${name}">${optionsOf(usual === undefined ? [{ value: '', label: 'any' }, ...choices] : choices, value)}</select>`;
  return html`<p class="field"><label for="${id}">${label}</label> ${input}</p>`;
}

/** A list without rows; where its address selects some, with the way to all of them. @param otherwise where there are none at all. */
export function emptyList({ path, query }: Address, noun: string, otherwise: Html): Html {
  const isNarrowed = Object.values(query).some((value) => value !== '');
  return isNarrowed
    ? html`<p class="empty">No ${noun} matches. <a href="${path}">Show all</a></p>`
    : html`<p class="empty">${otherwise}</p>`;
}

/** The way to the next page of a list, and back to its first. @param next the cursor of the next page; null: this is the last. */
export function pager(address: Address, next: string | number | null): Html {
  const isFirst = (address.query.after ?? '') === '';
  if (isFirst && next === null) return html``;
  return html`<nav class="pager" aria-label="Further rows"><ul>
${isFirst ? '' : html`<li><a href="${hrefOf(address, { after: null })}">First page</a></li>`}
${next === null ? '' : html`<li><a href="${hrefOf(address, { after: String(next) })}" rel="next">Next page</a></li>`}
</ul></nav>`;
}
