import type { RowPlan } from '../../../actions/correct/plan-row.js';
import { BROWSABLE } from '../../../actions/rows/selectable.js';
import { leadingIssue } from '../../../domain/issue.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { selectionIn, selectionQuery } from '../../../domain/text/selection-text.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted } from '../../../report/text/counted.js';
import { remarkText, type Trace } from '../../../report/trace/trace.js';
import { hrefOf } from '../../visits/address.js';
import type { Visit } from '../../visits/visit.js';
import type { Desk } from '../../work/desk.js';
import { notice } from '../decide/reason.js';
import { type Page, type Shown, sectionOf } from '../page.js';
import { rowName, rowPath } from '../parts/row-link.js';
import { noSuchPage } from '../problem.js';
import { correctForm } from './correct-form.js';
import { lifeSection } from './life.js';
import { readingSection } from './reading.js';

/** The maximum of rows and submissions that are shown in full: one row mostly has one of each. */
const MAX_TOLD = 8;

/** The life of a row: what the file has, what was made of it, what the platform said, and what comes next. */
export const rowPage: Page = {
  path: '/rows/:what',
  show: (visit, desk) => shownRow(visit, desk, null),
};

/** What a form that corrects the row was answered. */
export interface TriedRow {
  readonly planned: RowPlan;
  readonly because: string;
  /** The notice at the top; null: none. */
  readonly said: string | null;
  readonly status: 200 | 409;
}

/** The row's page. @param tried values that the user has tried; null: none. */
export async function shownRow(visit: Visit, desk: Desk, tried: TriedRow | null): Promise<Shown> {
  const { what = '' } = visit.params;
  const trace = await desk.ask('row', { what });
  if (trace === null) return noSuchPage();
  const { rows, submissions, remarks, corrections } = trace;
  const correcting = visit.mayAct ? await correctingOf(desk, what, tried) : null;
  return {
    title: titleOf(trace),
    section: '/attention',
    ...(tried === null ? {} : { status: tried.status }),
    content: html`${notice(tried?.said ?? null)}${visit.address.query.saved === undefined ? '' : notice('Saved.', 'good')}
${visit.mayAct ? await neighbours(desk, trace) : ''}
${remarks.map((remark) => html`<p class="second">${remarkText(remark)}</p>`)}
${corrections.map(({ old, now }) => html`<p class="second">${old.type} <bdi>${old.id}</bdi> counts as ${now.type} <bdi>${now.id}</bdi>, as mapped by an operator.</p>`)}
${submissions.slice(0, MAX_TOLD).map((life) => lifeSection(visit, life))}
${rows.slice(0, MAX_TOLD).map((row, index) => readingSection(visit, row, index))}
${moreThan(rows.length + submissions.length, Math.min(rows.length, MAX_TOLD) + Math.min(submissions.length, MAX_TOLD))}
${correcting === null ? '' : 'why' in correcting ? sectionOf('correct', 'Correct it')`<p class="note">It can’t be corrected: ${correcting.why}</p>` : correctForm(visit, what, correcting.planned, { own: issuesOf(rows, correcting.planned), tried })}`,
  };
}

/** The ways to the next and the previous row with the same cause, for a row that became no record. */
async function neighbours(desk: Desk, { rows: [row] }: Trace): Promise<Html> {
  const code = row?.disposition === 'invalid' ? leadingIssue(row.issues)?.code : undefined;
  const selection = code === undefined ? null : selectionIn({ states: 'invalid', cause: code }, BROWSABLE);
  if (row === undefined || selection === null) return html``;
  const beside = async (isDescending: boolean) => {
    const asked = { selection, search: null, after: `${row.drop}.${row.line}.0`, limit: 1, isDescending };
    return (await desk.ask('rows', asked)).rows[0];
  };
  const links = [
    { text: 'Previous', to: await beside(true) },
    { text: 'Next', to: await beside(false) },
  ].flatMap(({ text, to }) =>
    to === undefined
      ? []
      : [
          html`<li><a href="${rowPath(rowName(to))}">${text}: <bdi>${to.file}</bdi>, line ${to.line}</a></li>`,
        ],
  );
  const all = hrefOf({ path: '/attention/rows', query: selectionQuery(selection, BROWSABLE) });
  return html`<nav class="pager" aria-label="Rows with the cause ${code ?? ''}"><ul>${links}<li><a href="${all}">All with ${code ?? ''}</a></li></ul></nav>`;
}

/** Why the row to correct needs attention. */
function issuesOf(rows: Trace['rows'], { row: { dropId, line } }: RowPlan) {
  const own = rows.find((one) => one.drop === dropId && one.line === line);
  // Erased ones say nothing any more.
  return (own?.issues ?? []).flatMap(({ column, message, remedy }) =>
    message === null || remedy === null ? [] : [{ column, message, remedy }],
  );
}

/** The row as it can be corrected, or why it can't. */
async function correctingOf(
  desk: Desk,
  what: string,
  tried: TriedRow | null,
): Promise<{ readonly planned: RowPlan } | { readonly why: string }> {
  if (tried !== null) return tried;
  try {
    return { planned: await desk.ask('cellsPlan', { what, cells: null }) };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.exit === 'io') throw error;
    return { why: `${error.message}. ${error.hint}` };
  }
}

function titleOf({ rows, submissions, what }: Trace): string {
  const [own] = submissions;
  const [first] = rows;
  const row =
    own === undefined ? first : rows.find(({ drop, line }) => drop === own.drop && line === own.line);
  return row === undefined ? `Row ${what}` : `${row.file}, line ${row.line}`;
}

function moreThan(all: number, shown: number) {
  return all === shown
    ? ''
    : html`<p class="note">${counted(all - shown, 'more row')} and submissions belong to it. To see all, run registrar trace.</p>`;
}
