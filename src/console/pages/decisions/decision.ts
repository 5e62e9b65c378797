import type { QueryResult } from '../../../actions/browse/queries.js';
import { describeSelection, readSelection } from '../../../domain/selection.js';
import { STATES } from '../../../domain/submission.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';
import { type Page, SEE_ROWS, sectionOf } from '../page.js';
import { type Column, listTable, PAGE_ROWS, pager } from '../parts/list-table.js';
import { NUMBER, parseNumber } from '../parts/parse-params.js';
import { rowLink } from '../parts/row-link.js';
import { when, whenOr } from '../parts/when.js';
import { pageNotFound } from '../problem.js';

export const decisionPage: Page = {
  path: `/decisions/:decision${NUMBER}`,
  roles: SEE_ROWS,
  async show(visit) {
    const { address, params } = visit;
    const part = { after: parseNumber(address.query.after), limit: PAGE_ROWS };
    const decision = await visit.query('decision', { decision: Number(params.decision), ...part });
    if (decision === null) return pageNotFound();
    const isOpen = decision.finishedAt === null;
    return {
      title: `Decision ${decision.decisionId}: ${terms().decisions[decision.kind].toLowerCase()}`,
      section: '/audit',
      isLive: isOpen,
      content: html`<div id="decision" data-part>
${isOpen ? UNFINISHED : ''}
${sectionOf('facts', 'What was decided')`${facts(decision)}`}
${sectionOf('rows', 'Affected rows')`${rowsOf(decision)}
${pager(address, decision.next)}`}
${left(decision)}
</div>`,
    };
  },
};

function left({ issues }: Decision): Html {
  if (issues.length === 0) return html``;
  return sectionOf('left', 'Left as it was')`<ul class="issues">${issues.map(
    ({ sheet, line, code, message, remedy }) =>
      html`<li>Line ${line}${sheet === null ? '' : html` of sheet <bdi>${sheet}</bdi>`}: <b>${code}</b>: ${message ?? 'its text was erased'}. What to do: ${remedy}.</li>`,
  )}</ul>`;
}

const UNFINISHED = html`<p class="notice open">This decision is incomplete: it is still running, or its process died. The next run resumes it.</p>`;

type Decision = NonNullable<QueryResult<'decision'>>;

function facts(decision: Decision): Html {
  const { kind, selection, who, door, madeAt, finishedAt, because } = decision;
  return html`<dl class="pairs">
<dt>About</dt><dd>${aboutText(kind, selection)}${members(decision)}</dd>
<dt>Who</dt><dd><bdi>${who}</bdi>, by ${terms().doors[door]}</dd>
<dt>When</dt><dd>${when(madeAt)}</dd>
<dt>Why</dt><dd>${because === null ? html`<span class="absent">no reason given</span>` : html`<bdi>${because}</bdi>`}</dd>
<dt>Carried out</dt><dd>${whenOr(finishedAt, 'incomplete')}</dd>
<dt>Result</dt><dd>${resultText(kind, decision)}</dd>
</dl>`;
}

const MAX_NAMED = 50;

function members({ selection: { rows } }: Decision): Html {
  if (!Array.isArray(rows) || rows.length === 0) return html``;
  const named = rows.slice(0, MAX_NAMED).map(String);
  return html` (${named.join(', ')}${rows.length > named.length ? ', …' : ''})`;
}

const COLUMNS: readonly Column<Decision['rows'][number]>[] = [
  {
    title: 'Row',
    cell: ({ submissionId, dropId, line }) => rowLink({ submission: submissionId, drop: dropId, line }),
  },
  {
    title: 'Place',
    cell: ({ dropId, file, line }) => html`<a href="/files/${dropId}"><bdi>${file}</bdi></a>, line ${line}`,
  },
  { title: 'Now', cell: ({ state }) => state },
];

function rowsOf({ rows, result }: Decision): Html {
  if (rows.length > 0) {
    return listTable('Rows that the decision lists, and where they are now', rows, COLUMNS);
  }
  const { made = 0, resolved = 0 } = result ?? {};
  return made + resolved > 0
    ? html`<p class="empty">The rows aren’t listed: invalid rows were closed or read again. The result counts them.</p>`
    : html`<p class="empty">No rows affected.</p>`;
}

type AuditKind = QueryResult<'auditLog'>['rows'][number]['kind'];
type Decided = NonNullable<QueryResult<'auditLog'>['rows'][number]['decision']>;

export function resultText(kind: AuditKind, { result, finishedAt }: Pick<Decided, 'result' | 'finishedAt'>) {
  if (finishedAt === null) return html`<span class="chip open">incomplete</span>`;
  const done = Object.entries(result ?? {}).filter(([, count]) => count !== 0);
  if (done.length === 0) return html`<span class="absent">nothing to do</span>`;
  return html`${done.map(([name, count]) => resultWords(kind, name, count)).join(', ')}`;
}

function resultWords(kind: AuditKind, name: string, count: number): string {
  const moved: Readonly<Partial<Record<string, string>>> = terms().moved;
  switch (name) {
    case 'moved':
      return `${counted(count, 'row')} ${moved[kind] ?? 'changed'}`;
    case 'made':
      return counted(count, 'new row');
    case 'resolved':
      return `${counted(count, 'invalid row')} closed`;
    default:
      return `${numberText(count)} ${name}`;
  }
}

/** What a decision is about, in words. It has learners as hashes only, which mean nothing to people: they are counted. */
export function aboutText(kind: AuditKind, selection: Decided['selection']): string {
  const rows = selectedRows(selection);
  if (rows !== null) return rows;
  const { drop, before, learners, file, rows: named } = selection;
  if (typeof drop === 'number') return `file ${drop}`;
  if (kind === 'map') return 'the identifier of one learner';
  if (Array.isArray(learners)) return counted(learners.length, 'identifier').concat(' of one learner');
  if (typeof before === 'string') return `files imported before ${before.slice(0, 10)}`;
  if (typeof file === 'string') return 'a corrected file';
  if (Array.isArray(named)) return counted(named.length, 'row');
  return 'all';
}

/** A recorded selection of rows as `describeSelection` says it; null: it isn't of rows. */
function selectedRows({ learners, rows, ...kept }: Decided['selection']): string | null {
  if (!Array.isArray(kept.states)) return null;
  const named = { ...kept, ...(Array.isArray(rows) && rows.length > 0 ? { rows } : {}) };
  const read = readSelection(named, { done: 'chosen', states: [...STATES, 'invalid'], usual: [] });
  if (!('selection' in read)) return null;
  const learner = Array.isArray(learners) ? 'one' : null;
  return describeSelection({ ...read.selection, learner });
}
