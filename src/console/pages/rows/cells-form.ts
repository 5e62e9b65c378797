import { preview } from '../../../actions/correct/correct.js';
import type { RowPlan } from '../../../actions/correct/plan-row.js';
import type { CorrectedCell } from '../../../documents/correction.js';
import type { ListedRow } from '../../../documents/rows.js';
import { type Issue, issueText } from '../../../domain/issue.js';
import { type Html, html } from '../../../report/page/html.js';
import { richTextHtml } from '../../../report/page/words.js';
import { hrefOf, type Visit } from '../../visits/visit.js';
import { formToken, reasonField } from '../parts/fields.js';
import { rowName } from '../parts/row-link.js';
import { placeOf, type TriedCells } from './correct-cells.js';

/** The id of the form that the cells belong to, from anywhere on the page. */
const FORM = 'grid';

export type CellIssue = Pick<Issue, 'column' | 'message' | 'remedy'>;

/** All cells of a row as fields. @param own why the row needs attention, shown until something is tried. */
export function cellFields(plan: RowPlan, own: readonly CellIssue[], tried: TriedCells | null): Html {
  const place = placeOf(plan);
  const issues = tried === null || tried.plans.size === 0 ? own : plan.issues;
  return html`<div class="cells">${plan.cells.map((cell, index) => {
    const { column, field, was } = cell;
    return html`<p class="field"><label for="cell-${place}-${index}"><bdi>${column === '' ? `Column ${index + 1}` : column}</bdi>${field === null ? '' : html` <small>${field}</small>`}</label>
${cellInput({ place, index, was, read: cell, issues: issuesOf(cell, issues) }, tried)}</p>
`;
  })}</div>`;
}

/** A wrong cell of a list as a field, with what is made of it; null where the row can't be corrected here. */
export function editCell(row: ListedRow, column: string | null, tried: TriedCells | null): Html | null {
  const index = column === null ? -1 : (row.cells ?? []).findIndex((one) => one.column === column);
  const was = row.cells?.[index]?.text;
  if (row.state !== 'invalid' || was === undefined) return null;
  const place = rowName(row);
  const plan = tried?.plans.get(place);
  const read = plan?.cells[index] ?? null;
  const issues = plan === undefined || read === null ? null : issuesOf(read, plan.issues);
  return cellInput({ place, index, was, read, issues, label: `${column ?? ''} of ${place}` }, tried);
}

interface CellFacts {
  readonly place: string;
  /** The index of the column. */
  readonly index: number;
  /** The present text. */
  readonly was: string;
  /** How it is read; null: it was not read again. */
  readonly read: CorrectedCell | null;
  /** What is wrong with it; null: it is wrong, and `read` doesn't say why. */
  readonly issues: readonly CellIssue[] | null;
  /** Its name, where no label of the page names it. */
  readonly label?: string;
}

function cellInput({ place, index, was, read, issues, label }: CellFacts, tried: TriedCells | null): Html {
  const id = `cell-${place}-${index}`;
  const sent = tried?.sent.get(place)?.get(index);
  // A cell that wasn't edited may have been corrected by another person meanwhile.
  const typed = sent === undefined || sent.value === sent.was ? was : sent.value;
  return html`<input id="${id}" name="${id}" form="${FORM}" type="text" maxlength="32767" autocomplete="off" spellcheck="false" value="${typed}"${label === undefined ? '' : html` aria-label="${label}"`} aria-describedby="${id}-reading"${issues?.length === 0 ? '' : html` aria-invalid="true"`}>
<input type="hidden" form="${FORM}" name="was-${place}-${index}" value="${was}">
<small id="${id}-reading" data-reading>${read === null ? '' : readingOf(read, issues ?? [])}</small>`;
}

function issuesOf({ column, field }: CorrectedCell, issues: readonly CellIssue[]): readonly CellIssue[] {
  return issues.filter(
    (issue) => issue.column !== null && (issue.column === column || issue.column === field),
  );
}

function readingOf({ field, value, rule, was, given }: CorrectedCell, issues: readonly CellIssue[]): Html {
  const before = given === null ? '' : html` In the file: <bdi>${was === '' ? 'nothing' : was}</bdi>.`;
  if (issues.length > 0) return html`<b>${issues.map((issue) => `${issueText(issue)} `)}</b>${before}`;
  if (field === null) return html`Not used.${before}`;
  if (value === null) return html`Used to decide whether the row counts.${before}`;
  return html`Read as <bdi>${String(value)}</bdi>${rule === null || rule === '' ? '' : ` (${rule})`}.${before}`;
}

/** The form of the cells: what would become of the rows, and why. @param at what has the addresses `/try` and `/correct`. */
export function cellsForm(visit: Visit, at: string, tried: TriedCells | null): Html {
  const { query } = visit.address;
  const tryPath = hrefOf({ path: `${at}/try`, query });
  return html`<form id="${FORM}" method="post" action="${hrefOf({ path: `${at}/correct`, query })}" data-try="${tryPath}">${formToken(visit)}
<div id="outcome" data-reading role="status">${outcomes(tried)}</div>
${reasonField(true, tried?.because ?? '')}
<p class="buttons"><button class="second-choice" formaction="${tryPath}" formnovalidate>Try</button> <button>Save the corrections</button></p></form>`;
}

function outcomes(tried: TriedCells | null): Html {
  if (tried === null) return html`<p class="note">Not tried yet.</p>`;
  if (tried.sent.size === 0) return html`<p class="note">No cell was changed.</p>`;
  return html`${[...tried.plans.values()].map((plan) => {
    const { disposition, original } = plan.outcome;
    const { headline, lines } = preview(plan);
    const kind = disposition === 'invalid' ? 'bad' : original === 'unchanged' ? 'open' : 'good';
    return html`<p class="notice ${kind}">${richTextHtml(headline)}.</p>
${lines.length === 0 ? '' : html`<ul>${lines.map((line) => html`<li>${richTextHtml(line)}</li>`)}</ul>`}`;
  })}`;
}
