import type { RowPlan } from '../../../actions/correct/plan-row.js';
import type { ListedRow } from '../../../documents/rows.js';
import { issueText } from '../../../domain/issue.js';
import { visibleText } from '../../../domain/text/visible-text.js';
import { type Html, html } from '../../../report/page/html.js';
import { type Address, hrefOf, type Visit } from '../../visits/visit.js';
import type { FormFields } from '../page.js';
import { formToken, reasonField } from '../parts/fields.js';
import { rowName } from '../parts/row-link.js';
import { issuesOf, readingOf } from '../rows/correct-form.js';

/** The id of the form that the cells of a table belong to. */
const FORM = 'grid';

/** What a person typed into the cells of a table, and what it would make of the rows. */
export interface TriedGrid {
  /** By the names of the rows. */
  readonly plans: ReadonlyMap<string, RowPlan>;
  readonly edits: readonly EditedRow[];
  readonly because: string;
  /** The notice at the top; null: none. */
  readonly said: string | null;
}

export interface EditedRow {
  readonly what: string;
  readonly set: readonly { readonly column: number; readonly value: string; readonly was: string }[];
}

/** A wrong cell as a field, with what is made of it; null where the row can't be corrected here. */
export function editCell(row: ListedRow, column: string | null, tried: TriedGrid | null): Html | null {
  const index = column === null ? -1 : (row.cells ?? []).findIndex((one) => one.column === column);
  const was = row.cells?.[index]?.text;
  if (row.state !== 'invalid' || was === undefined) return null;
  const what = rowName(row);
  const id = `cell-${what}-${index}`;
  const typed = tried?.edits.find((one) => one.what === what)?.set.find((one) => one.column === index);
  const plan = tried?.plans.get(what);
  const own = plan?.cells[index];
  const issues = plan === undefined || own === undefined ? [] : issuesOf(own, plan.issues);
  const isWrong = plan === undefined || issues.length > 0;
  return html`<input id="${id}" name="${id}" form="${FORM}" type="text" maxlength="32767" autocomplete="off" spellcheck="false" value="${typed?.value ?? was}" aria-label="${column ?? ''} of ${what}" aria-describedby="${id}-reading"${isWrong ? html` aria-invalid="true"` : ''}>
<input type="hidden" form="${FORM}" name="was-${what}-${index}" value="${was}">
<small id="${id}-reading" data-reading>${own === undefined ? '' : readingOf(own, issues)}</small>`;
}

/** The form of these cells: why, and what would become of the rows. Nothing where no row shown can be corrected. */
export function gridForm(visit: Visit, rows: readonly ListedRow[], tried: TriedGrid | null): Html {
  if (!visit.mayAct || !rows.some(({ state }) => state === 'invalid')) return html``;
  const at = (path: string) => hrefOf({ path: `/attention/rows/${path}`, query: visit.address.query });
  return html`<form id="${FORM}" method="post" action="${at('correct')}" data-try="${at('try')}">${formToken(visit)}
<div id="outcome" data-reading role="status">${tried === null ? '' : outcomes(tried)}</div>
${reasonField(true, tried?.because ?? '')}
<p class="buttons"><button class="second-choice" formaction="${at('try')}" formnovalidate>Try</button> <button>Save the corrections</button></p></form>`;
}

function outcomes({ plans }: TriedGrid): Html {
  const list = [...plans].map(
    ([
      what,
      {
        outcome: { disposition, original },
        issues,
      },
    ]) =>
      html`<li>${what} would be ${disposition} and the original ${original}.${issues.map((issue) => ` ${issueText(issue)}`)}</li>`,
  );
  return list.length === 0 ? html`<p class="note">No cell was changed.</p>` : html`<ul>${list}</ul>`;
}

/** More rows than a page has. */
const MAX_EDITED = 100;

/** The cells that a form changes, row by row. */
export function editsIn(fields: FormFields): readonly EditedRow[] {
  const edits = new Map<string, EditedRow['set']>();
  for (const name of fields.names()) {
    const [, what, digits] = /^cell-(\d{1,12}:\d{1,9})-(\d{1,5})$/.exec(name) ?? [];
    if (what === undefined || edits.size > MAX_EDITED) continue;
    const [value, was] = [fields.one(name), fields.one(`was-${what}-${digits}`)];
    if (value !== was) edits.set(what, [...(edits.get(what) ?? []), { column: Number(digits), value, was }]);
  }
  return [...edits].map(([what, set]) => ({ what, set }));
}

/** True where the row still has the cells that the page has shown. */
export function isAsShown({ set }: EditedRow, { cells }: RowPlan): boolean {
  return set.every(
    ({ column, was }) => cells[column]?.was === was || visibleText(cells[column]?.was ?? '') === was,
  );
}

export function listOf({ query }: Address): Address {
  return { path: '/attention/rows', query };
}
