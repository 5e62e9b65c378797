import type { ActionContext } from '../../actions/context.js';
import type { Verb } from '../../actions/decision/verb.js';
import type { ApiAnswer } from './operation.js';

/** The rows that a preview lists: `count` says how many there are, and GET /rows lists them all. */
const MAX_SELECTED = 1_000;

/** What a decision would do, where nothing is decided. */
export async function plannedAnswer<Plan>(
  context: ActionContext,
  verb: Pick<Verb<never, Plan, never>, 'document' | 'rows'>,
  planned: Plan,
  dryRun: boolean,
): Promise<ApiAnswer> {
  const document = verb.document(planned, null, dryRun);
  const entries = verb.rows?.(context, planned);
  if (entries === undefined) return { status: 200, document };
  const selected: unknown[] = [];
  for await (const entry of entries) if (selected.push(entry) === MAX_SELECTED) break;
  return { status: 200, document: { ...document, selected } };
}
