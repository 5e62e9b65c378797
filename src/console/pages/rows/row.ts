import type { RowPlan } from '../../../actions/correct/plan-row.js';
import { BROWSABLE } from '../../../actions/rows/selectable.js';
import type { TracedDecision } from '../../../documents/trace.js';
import { leadingIssue } from '../../../domain/issue.js';
import { cellText } from '../../../domain/row.js';
import { selectionIn } from '../../../domain/text/selection-text.js';
import { type Html, html } from '../../../report/page/html.js';
import { numberText } from '../../../report/text/counted.js';
import type { Trace } from '../../../report/trace/trace.js';
import { hrefOf, type Visit } from '../../work/visit.js';
import { remedyLink } from '../attention/remedy-link.js';
import { causeHelp } from '../help.js';
import { type Page, type PageView, SEE_ROWS, sectionOf } from '../page.js';
import { notice } from '../parts/fields.js';
import { type Column, listTable } from '../parts/list-table.js';
import { rowName, rowPath } from '../parts/row-link.js';
import { when } from '../parts/when.js';
import { expectedRefusal, pageNotFound } from '../problem.js';
import { type CellIssue, cellFields, cellsForm, correctingForms, type TriedCells } from './cells.js';

/** Rows and submissions that are shown in full: one row mostly has one of each. */
const MAX_SHOWN = 8;

/** The life of a row: what the file has, what was made of it, what the platform said, and what comes next. */
export const rowPage: Page = {
  path: '/rows/:what',
  roles: SEE_ROWS,
  show: (visit) => shownRow(visit, null),
  forms: correctingForms(shownRow, ({ params }) => `${rowPath(params.what ?? '')}?saved=yes`),
};

async function shownRow(visit: Visit, tried: TriedCells | null): Promise<PageView> {
  const { what = '' } = visit.params;
  const trace = await visit.query('row', { what });
  if (trace === null) return pageNotFound();
  const { rows, submissions, remarks, corrections } = trace;
  return {
    title: titleOf(trace),
    section: '/attention',
    content: html`${notice(tried?.message ?? null)}${visit.address.query.saved === undefined ? '' : notice('Saved.', 'good')}
${visit.mayAct ? await neighbours(visit, trace) : ''}
${remarks.map((remark) => html`<p class="second">${remark}</p>`)}
${corrections.map(({ old, now }) => html`<p class="second">${old.type} <bdi>${old.id}</bdi> counts as ${now.type} <bdi>${now.id}</bdi>, as mapped by an operator.</p>`)}
${submissions.slice(0, MAX_SHOWN).map((life) => lifeSection(visit, life))}
${rows.slice(0, MAX_SHOWN).map(readingSection)}
${Math.max(rows.length, submissions.length) > MAX_SHOWN ? html`<p class="note">More rows and submissions belong to it. To see all, run registrar trace.</p>` : ''}
${visit.mayAct ? sectionOf('correct', 'Correct it')`${await correcting(visit, trace, tried)}` : ''}`,
  };
}

/** The ways to the next and the previous row with the same cause, for a row that became no record. */
async function neighbours(visit: Visit, { rows: [row] }: Trace): Promise<Html> {
  const code = row?.disposition === 'invalid' ? leadingIssue(row.issues)?.code : undefined;
  const query = { states: 'invalid', cause: code ?? '' };
  const selection = selectionIn(query, BROWSABLE);
  if (row === undefined || code === undefined || selection === null) return html``;
  const beside = async (text: string, isDescending: boolean) => {
    const request = { selection, search: null, after: `${row.drop}.${row.line}.0`, limit: 1, isDescending };
    const [to] = (await visit.query('rows', request)).rows;
    if (to === undefined) return '';
    return html`<li><a href="${rowPath(rowName(to))}">${text}: <bdi>${to.file}</bdi>, line ${to.line}</a></li>`;
  };
  const all = hrefOf({ path: '/attention/rows', query });
  return html`<nav class="pager" aria-label="Rows with the cause ${code}"><ul>${await beside('Previous', true)}${await beside('Next', false)}<li><a href="${all}">All with ${code}</a></li></ul></nav>`;
}

async function correcting(visit: Visit, { rows }: Trace, tried: TriedCells | null): Promise<Html> {
  const { what = '' } = visit.params;
  try {
    const unchanged = { what: /^\d+$/.test(what) ? `#${what}` : what, set: [] };
    const plans = tried?.plans.size ? tried.plans.values() : visit.query('rowsPlan', { rows: [unchanged] });
    const [planned] = await plans;
    if (planned === undefined) throw new Error('a row without a plan');
    return html`${cellFields(planned, issuesOf(rows, planned), tried)}
${cellsForm({ ...visit, address: { ...visit.address, query: {} } }, rowPath(what), tried)}`;
  } catch (error) {
    const { message, hint } = expectedRefusal(error);
    return html`<p class="note">It can’t be corrected: ${message}. ${hint}</p>`;
  }
}

function issuesOf(rows: Trace['rows'], { row: { dropId, line } }: RowPlan): readonly CellIssue[] {
  const own = rows.find((one) => one.drop === dropId && one.line === line);
  return (own?.issues ?? []).flatMap(({ column, message, remedy }) =>
    message === null || remedy === null ? [] : [{ column, message, remedy }],
  );
}

function titleOf({ rows, submissions, what }: Trace): string {
  const [own = rows[0]] = submissions;
  const row = rows.find(({ drop, line }) => drop === own?.drop && line === own.line);
  return row === undefined ? `Row ${what}` : `${row.file}, line ${row.line}`;
}

type Life = Trace['submissions'][number];
type Attempt = Life['attempts'][number];

/** Of an answer on the page, in characters; the report and registrar trace have all of it. */
const MAX_BODY = 2_000;

function lifeSection(visit: Visit, life: Life): Html {
  const { submission, state, heldReason, operation, environment, key, revision, next } = life;
  const id = `life-${submission}`;
  return sectionOf(id, html`#${submission} is ${state}${heldReason === null ? '' : `: ${heldReason}`}`)`
<p class="second">${next.words}</p>
${visit.mayAct && next.choices.length > 0 ? html`${next.choices.map((choice) => html`<p class="buttons">${choice.when}: ${remedyLink(choice.remedy)}</p>`)}<p class="buttons">To leave it unsent: ${remedyLink({ action: 'dismiss', selection: { states: [state], rows: [submission] } })}</p>` : ''}
${life.damaged ? html`<p class="notice bad">The stored row is damaged. Restore a backup.</p>` : ''}
<dl class="pairs"><dt>What</dt><dd>${operation} to <bdi>${environment}</bdi></dd>
<dt>Key</dt><dd><code>${key}</code>${revision > 1 ? `, revision ${revision}` : ''}</dd>
${lineage(life)}</dl>
<h3>What happened</h3>
${steps(life)}`;
}

function lineage({ madeBy, replaces, replacedBy }: Life): Html {
  const link = (id: number) => html`<a href="${rowPath(String(id))}">#${id}</a> `;
  return html`${madeBy === null ? '' : html`<dt>Made by</dt><dd>${decisionText(madeBy)}</dd>`}${
    replaces.length === 0 ? '' : html`<dt>In place of</dt><dd>${replaces.map(link)}</dd>`
  }${replacedBy === null ? '' : html`<dt>Replaced by</dt><dd>${link(replacedBy)}</dd>`}`;
}

/** Changes of state in order, each answer below the one that it led to. */
function steps({ transitions, attempts }: Life): Html {
  const shown = new Set<Attempt>();
  const lines = transitions.map((step) => {
    const attempt = attempts.find((one) => one.attempt === step.attempt);
    const isAnswered = attempt !== undefined && step.event !== 'claimed';
    if (isAnswered) shown.add(attempt);
    const reason = step.decision === null ? step.reason : null;
    const run = step.run === null ? html`` : html`<a href="/runs/${step.run}">run ${step.run}</a>`;
    const by = step.decision === null ? run : decisionText(step.decision);
    return html`<li>${when(step.at)}: ${step.from} to <b>${step.to}</b>${reason === null ? '' : html` (${reason})`}, ${by}${isAnswered ? attempt.answers.map(answerText) : ''}</li>
`;
  });
  const open = attempts.filter((attempt) => !shown.has(attempt));
  if (lines.length + open.length === 0)
    return html`<p class="empty">Imported. Nothing has happened since.</p>`;
  return html`<ol>${lines}${open.map((attempt) => html`<li>${when(attempt.startedAt)}: request ${attempt.attempt}, no answer yet</li>`)}</ol>`;
}

function answerText(answer: Attempt['answers'][number]): Html {
  const { status, failure, durationMs, isLate, errorDetail, body, bodyState } = answer;
  const head = status === null ? `no answer (${failure ?? 'silence'})` : `answer ${status}`;
  const cut = body !== null && body.length > MAX_BODY ? `${body.slice(0, MAX_BODY)}…` : body;
  return html`<p><b>${isLate ? 'late ' : ''}${head}</b> <small>in ${durationMs} ms</small>${errorDetail === null ? '' : html` <q>${errorDetail}</q>`}</p>
${cut === null || cut === '' ? '' : html`<details><summary>Full answer</summary><pre class="answer">${cut}</pre>${bodyState === 'complete' ? '' : html`<small>${bodyState}</small>`}</details>`}`;
}

type TracedRow = Trace['rows'][number];

function readingSection(row: TracedRow, index: number): Html {
  const { drop, file, line, sheet, source, importedAt, issues } = row;
  const place = html`<a href="/files/${drop}"><bdi>${file}</bdi></a>, line ${numberText(line)}`;
  return sectionOf(`reading-of-${index}`, html`In the file: ${place}`)`
<p class="second">${sheet === null ? '' : html`Sheet <bdi>${sheet}</bdi>. `}Source <bdi>${source}</bdi>, imported ${when(importedAt)}. ${became(row)}${row.correctedBy === null ? '' : html` Its cells were corrected by ${decisionText(row.correctedBy)}.`}</p>
${issues.length === 0 ? '' : html`<ul class="issues">${issues.map(({ code, message, remedy }) => html`<li><b><a href="${causeHelp({ state: 'invalid', code })}" title="What it means">${code}</a></b>: ${message ?? 'its text was erased'}. What to do: ${remedy}.</li>`)}</ul>`}
${row.cells === null ? html`<p class="note">Its cells were erased.</p>` : ''}
${fieldTable(row)}
${row.fields.length === 0 || row.settings === 'same' ? '' : html`<p class="note">The rules are today’s; the settings may have changed since.</p>`}`;
}

function became({ disposition, submission, resolvedBy, resolvedIn }: TracedRow): Html {
  if (disposition === 'duplicate' && submission !== null)
    return html`It repeats <a href="${rowPath(String(submission))}">#${submission}</a>.`;
  // The state of a staged row is above, with what comes next.
  if (resolvedIn === null) return disposition === 'staged' ? html`` : html`It is ${disposition}.`;
  const unsent = resolvedIn.kind === 'restage' ? 'now skipped by policy' : 'resolved';
  const now = html`now <a href="${rowPath(String(resolvedBy))}">#${resolvedBy}</a>`;
  return html`It was ${disposition}, and is ${resolvedBy === null ? unsent : now}: ${decisionText(resolvedIn)}.`;
}

/** The fields, those with an issue first, and the cells that feed none. */
function fieldTable({ fields, cells, line, drop, issues }: TracedRow): Html {
  // A field that no column feeds and that has no value says nothing.
  const read = fields.filter(({ column, after }) => column !== null || after !== null);
  const isWrong = ({ field, column }: Field) =>
    issues.some((issue) => issue.column === field || (column !== null && issue.column === column));
  const rest = (cells ?? []).flatMap(({ column, value }): Field[] => {
    const before = cellText(value);
    const isRead = before === '' || fields.some((field) => field.column === column);
    return isRead ? [] : [{ field: 'no field', column, before, after: null, rule: 'not used' }];
  });
  const order = [...read.filter(isWrong), ...read.filter((field) => !isWrong(field)), ...rest];
  return listTable(`How line ${line} of drop ${drop} was read`, order, FIELD_COLUMNS);
}

type Field = TracedRow['fields'][number];

const FIELD_COLUMNS: readonly Column<Field>[] = [
  { title: 'Field', isShort: true, cell: ({ field }) => field },
  { title: 'Column', cell: ({ column }) => column ?? html`<span class="absent">none</span>` },
  { title: 'In the file', cell: ({ before }) => shown(before) },
  { title: 'Interpreted as', cell: ({ after }) => shown(after === null ? null : String(after)) },
  { title: 'How', cell: ({ rule }) => rule },
];

function shown(text: string | null): Html {
  return text === null || text === '' ? html`<span class="absent">nothing</span>` : html`<bdi>${text}</bdi>`;
}

function decisionText({ decisionId, kind, who, because, madeAt }: TracedDecision): Html {
  return html`<a href="/decisions/${decisionId}">${kind}</a> of <bdi>${who}</bdi>, ${when(madeAt)}${because === null ? '' : html`: <q>${because}</q>`}`;
}
