import type { RowsPage } from '../../../actions/browse/browse-rows.js';
import { BROWSABLE, DISMISSABLE, RERUNNABLE } from '../../../actions/rows/selectable.js';
import { describeSelection, type Selectable, type Selection } from '../../../domain/selection.js';
import { agreeing } from '../../../domain/text/count-of.js';
import { selectionIn, selectionQuery } from '../../../domain/text/selection-text.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { type Address, hrefOf, type Visit } from '../../work/visit.js';
import { type Page, type PageView, SEE_ROWS } from '../page.js';
import { choicesOf, hiddenFields, notice } from '../parts/fields.js';
import { type FilterField, filterForm, pager } from '../parts/list-table.js';
import { parseNumber } from '../parts/parse-params.js';
import { cellsForm, correctingForms, editCell, type TriedCells } from '../rows/cells.js';
import { unknownWords } from '../settings/source.js';
import { rowsTable, stateCell } from './rows-table.js';

/** Rows on a page: more of them with long cells would make it large. */
const ON_A_PAGE = 30;

const PATH = '/attention/rows';

/** The rows of a selection, such as those of a cause, side by side, and what can be decided about them. */
export const rowsPage: Page = {
  path: PATH,
  roles: SEE_ROWS,
  show: (visit) => shownRows(visit, null),
  forms: correctingForms(
    (visit, tried) => shownRows({ ...visit, address: listOf(visit.address) }, tried),
    ({ address }, decisionId) => hrefOf(listOf(address), { saved: String(decisionId) }),
  ),
};

/** The page. @param tried what a person typed into its cells; null: nothing. */
async function shownRows(visit: Visit, tried: TriedCells | null): Promise<PageView> {
  const { query } = visit.address;
  const selection = selectionIn(query, BROWSABLE) ?? allOpen();
  const result = await visit.query('rows', {
    selection,
    search: query.search ?? null,
    after: query.after === undefined || query.after === '' ? null : query.after,
    limit: ON_A_PAGE,
  });
  return {
    title: 'Rows',
    section: '/attention',
    content: html`${notice(tried?.message ?? null)}${saved(visit.address)}
<p class="second">${countText(result, isSearched(visit.address))}${describeSelection(selection)}. <a href="/attention">All causes</a></p>
<section aria-label="Rows, and what to do with them">${filterForm(visit.address, filterFields())}
${visit.mayAct ? html`${replaceFields(visit, columnsOf(result.rows))}${unknownWords(visit, result.rows)}` : ''}
${result.rows.length === 0 ? noRows(visit.address, result) : chooseForm(visit, selection, result, tried)}
${result.isComplete ? '' : html`<p class="note">${counted(result.lookedThrough, 'row')} searched for this page. The next page continues the search.</p>`}
${result.unsearched > 0 ? html`<p class="note">${counted(result.unsearched, 'row')} without a record were not searched for the learner. To search them, run registrar trace.</p>` : ''}
${pager(visit.address, result.next)}</section>`,
  };
}

function saved({ query }: Address): Html {
  const decision = parseNumber(query.saved);
  return decision === null
    ? html``
    : html`<p class="notice good" role="status">Saved: <a href="/decisions/${decision}">decision ${decision}</a>. The rows below remain.</p>`;
}

/** The columns that invalid rows shown are read from, those with an issue first. */
function columnsOf(rows: RowsPage['rows']): readonly string[] {
  const open = rows.filter(({ state }) => state === 'invalid');
  const columns = [...open.flatMap(({ problems }) => problems), ...open.flatMap(({ fields }) => fields)];
  const read = new Set(open.flatMap(({ fields }) => fields.map(({ column }) => column)));
  return [...new Set(columns.flatMap(({ column }) => column ?? []))].filter((column) => read.has(column));
}

/** The fields to find a text in a column of the rows of an address. @param columns those of the rows shown; [] for no fields. */
function replaceFields({ address }: Visit, columns: readonly string[]): Html {
  if (columns.length === 0) return html``;
  const { after: _, chosen: __, saved: ___, search: ____, ...selection } = address.query;
  return html`<details class="replace"><summary>Find and replace in a column</summary>
<form class="filter" method="get" action="/decide/replace">${hiddenFields({ ...selection, all: 'true' })}
<p class="field"><label for="replace-column">Column</label> <select id="replace-column" name="column">${columns.map((column) => html`<option value="${column}">${column}</option>`)}</select></p>
<p class="field"><label for="replace-find">Find</label> <input id="replace-find" name="find" type="text" required maxlength="1000" autocomplete="off" spellcheck="false"></p>
<p class="field"><label for="replace-with">Replace with</label> <input id="replace-with" name="with" type="text" maxlength="1000" autocomplete="off" spellcheck="false"></p>
<button class="second-choice">Preview</button></form></details>`;
}

/** A search is not counted: each page of it shows how many rows it has. */
function countText({ total, rows }: RowsPage, isSearched: boolean): string {
  if (!isSearched) return total === null ? '' : `${counted(total, 'row')}: `;
  const matches = `${numberText(rows.length)} ${agreeing(rows.length, 'match', 'matches')} on this page`;
  return `${matches}, among ${total === null ? '' : `${numberText(total)} `}`;
}

function isSearched({ query }: Address): boolean {
  return (query.search ?? '').trim() !== '';
}

function allOpen(): Selection {
  const all = selectionIn({ all: 'true' }, BROWSABLE);
  if (all === null) throw new Error('all rows are a selection');
  return all;
}

function filterFields(): readonly FilterField[] {
  const usual = BROWSABLE.usual.join(',');
  const all = BROWSABLE.states.join(',');
  const choices = [
    { value: usual, label: 'needs attention' },
    { value: all, label: 'any' },
    ...choicesOf(BROWSABLE.states),
  ];
  return [
    { name: 'states', label: 'State', choices, usual },
    { name: 'cause', label: 'Cause' },
    { name: 'file', label: 'File' },
    { name: 'content', label: 'Content' },
    { name: 'learner', label: 'Learner' },
    { name: 'search', label: 'Anything in the row' },
  ];
}

function noRows(address: Address, { next }: RowsPage): Html {
  return next === null
    ? html`<p class="empty">No row matches. <a href="${address.path}">All rows that need attention</a></p>`
    : html`<p class="empty">No match on this page. There are more rows to search.</p>`;
}

const DECISIONS = [
  { path: '/decide/rerun', verb: 'Rerun', selectable: RERUNNABLE },
  { path: '/decide/dismiss', verb: 'Dismiss', selectable: DISMISSABLE },
];

type Decision = (typeof DECISIONS)[number];

/** The rows with a box each, and the decisions that the rows shown can have: about ticked ones, or about all. */
function chooseForm(visit: Visit, selection: Selection, result: RowsPage, tried: TriedCells | null): Html {
  const { address, mayAct } = visit;
  const isAllTicked = address.query.chosen === 'page';
  const canBe = ({ states }: Selectable) => result.rows.some(({ state }) => states.includes(state));
  const buttons = DECISIONS.filter(({ selectable }) => mayAct && canBe(selectable));
  const [first] = buttons;
  const table = rowsTable(result.rows, {
    caption: 'Rows in the order of files and lines',
    ...(first === undefined ? {} : { boxes: isAllTicked ? 'ticked' : 'empty' }),
    state: (row) => stateCell(row, selection.cause),
    ...(mayAct ? { edit: (row, column) => editCell(row, column, tried) } : {}),
  });
  if (first === undefined) return table;
  return html`<form method="get" action="${first.path}">
<p class="buttons">${buttons.map(
    ({ path, verb }) =>
      html`<button${path === '/decide/rerun' ? '' : html` class="second-choice"`} formaction="${path}">${verb} selected</button> `,
  )}<a href="${hrefOf(address, { chosen: isAllTicked ? null : 'page' })}">${isAllTicked ? 'Select none' : 'Select page'}</a></p>
${table}</form>
${mayAct && result.rows.some(({ state }) => state === 'invalid') ? cellsForm(visit, PATH, tried) : ''}
${isSearched(address) ? '' : html`<p class="buttons">${buttons.map((decision) => allLink(selection, decision, result.total))}</p>`}`;
}

/** A decision about the whole selection, as far as the action takes its states. */
function allLink(selection: Selection, { path, verb, selectable }: Decision, total: number | null): Html {
  const states = selection.states.filter((state) => selectable.states.includes(state));
  if (states.length === 0) return html``;
  const isWhole = states.length === selection.states.length;
  const query = selectionQuery({ ...selection, states }, selectable);
  const all = total === null ? 'all of them' : total === 1 ? 'this row' : `all ${numberText(total)}`;
  const what = isWhole ? all : `all that are ${states.join(', ')}`;
  return html`<a class="button second-choice" href="${hrefOf({ path, query })}">${verb} ${what}</a> `;
}

function listOf({ query }: Address): Address {
  return { path: PATH, query };
}
