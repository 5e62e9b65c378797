import { preview } from '../../../actions/correct/correction-words.js';
import type { RowPlan } from '../../../actions/correct/plan-row.js';
import type { CorrectedCell } from '../../../documents/correction.js';
import { type Issue, issueText } from '../../../domain/issue.js';
import { type Html, html } from '../../../report/page/html.js';
import { richTextHtml } from '../../../report/page/words.js';
import type { Visit } from '../../visits/visit.js';
import { sectionOf } from '../page.js';
import { formToken, hiddenFields, reasonField } from '../parts/fields.js';
import { rowPath } from '../parts/row-link.js';

/**
 * The row's cells as a form, with the reading of each beside it, and a preview of the row. @param own why the row needs
 * attention now. @param tried null: no values have been tried yet.
 */
export function correctForm(
  visit: Visit,
  what: string,
  planned: RowPlan,
  {
    own,
    tried,
  }: { readonly own: readonly FoundIssue[]; readonly tried: { readonly because: string } | null },
): Html {
  const isTried = tried !== null || planned.newValues.size > 0;
  const issues = isTried ? planned.issues : own;
  const tryPath = rowPath(what, 'try');
  return sectionOf('correct', 'Correct it')`
<form method="post" action="${rowPath(what, 'correct')}" data-try="${tryPath}">${formToken(visit)}${hiddenFields({ seen: seenOf(planned) })}
<div class="cells">${planned.cells.map((cell, index) => cellField(cell, index, issues))}</div>
${isTried ? outcome(planned) : OUTCOME_UNTRIED}
${reasonField(true, tried?.because ?? '')}
<p class="buttons"><button class="second-choice" formaction="${tryPath}" formnovalidate>Try</button> <button>Save the correction</button></p></form>`;
}

export type FoundIssue = Pick<Issue, 'column' | 'message' | 'remedy'>;

/** The cells that a form corrects: other ones, once the row was corrected. */
export function seenOf({ row }: RowPlan): string {
  return String(row.correctedBy ?? 0);
}

export function cellName(index: number): string {
  return `cell-${index}`;
}

function cellField(cell: CorrectedCell, index: number, issues: readonly FoundIssue[]): Html {
  const { column, field, was, given } = cell;
  const id = cellName(index);
  const own = issuesOf(cell, issues);
  return html`<p class="field"><label for="${id}"><bdi>${column === '' ? `Column ${index + 1}` : column}</bdi>${field === null ? '' : html` <small>${field}</small>`}</label>
<input id="${id}" name="${id}" type="text" maxlength="32767" autocomplete="off" spellcheck="false" value="${given ?? was}" aria-describedby="${id}-reading"${own.length > 0 ? html` aria-invalid="true"` : ''}>
<small id="${id}-reading" data-reading>${readingOf(cell, own)}</small></p>
`;
}

export function issuesOf(
  { column, field }: CorrectedCell,
  issues: readonly FoundIssue[],
): readonly FoundIssue[] {
  return issues.filter(
    (issue) => issue.column !== null && (issue.column === column || issue.column === field),
  );
}

export function readingOf(
  { field, value, rule, was, given }: CorrectedCell,
  issues: readonly FoundIssue[],
): Html {
  const before = given === null ? '' : html` In the file: <bdi>${was === '' ? 'nothing' : was}</bdi>.`;
  if (issues.length > 0) return html`<b>${issues.map((issue) => `${issueText(issue)} `)}</b>${before}`;
  if (field === null) return html`Not used.${before}`;
  const read =
    value === null ? 'Used to decide whether the row counts' : html`Read as <bdi>${String(value)}</bdi>`;
  return html`${read}${rule === null || rule === '' ? '' : ` (${rule})`}.${before}`;
}

const OUTCOME_UNTRIED = html`<div id="outcome" data-reading role="status"><p class="note">Not tried yet.</p></div>`;

/** What would become of the row with these values, in the words of every door. */
function outcome(planned: RowPlan): Html {
  const { disposition, original } = planned.outcome;
  const { headline, lines } = preview(planned);
  const kind = disposition === 'invalid' ? 'bad' : original === 'unchanged' ? 'open' : 'good';
  return html`<div id="outcome" data-reading role="status"><p class="notice ${kind}">${richTextHtml(headline)}.</p>
${lines.length === 0 ? '' : html`<ul>${lines.map((line) => html`<li>${richTextHtml(line)}</li>`)}</ul>`}</div>`;
}
