import type { QueryResult } from '../../../actions/browse/queries.js';
import { describeSelection, readSelection } from '../../../domain/selection.js';
import { STATES } from '../../../domain/submission.js';
import { type Html, html } from '../../../report/page/html.js';
import { counted, numberText } from '../../../report/text/counted.js';
import { terms } from '../../../report/words/terms.js';

type AuditKind = QueryResult<'auditLog'>['rows'][number]['kind'];
type Decided = NonNullable<QueryResult<'auditLog'>['rows'][number]['decision']>;

export function resultText(
  kind: AuditKind,
  { result, finishedAt }: Pick<Decided, 'result' | 'finishedAt'>,
): Html {
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
  if (typeof before === 'string') return `what came in before ${before.slice(0, 10)}`;
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
