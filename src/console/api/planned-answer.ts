import type { ActionContext } from '../../actions/context.js';
import type { Verb } from '../../actions/decision/verb.js';
import type { ApiAnswer } from './operation.js';

/** What a decision would do, where nothing is decided. */
export function plannedAnswer<Plan>(
  context: ActionContext,
  verb: Pick<Verb<never, Plan, never>, 'document' | 'rows'>,
  planned: Plan,
  dryRun: boolean,
): ApiAnswer {
  const entries = verb.rows?.(context, planned);
  return {
    status: 200,
    document: verb.document(planned, null, dryRun),
    ...(entries === undefined ? {} : { list: { name: 'selected', entries } }),
  };
}
