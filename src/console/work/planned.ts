import type { VerbName } from '../../actions/decision/verb-facts.js';
import type { ConsoleContext } from './console-context.js';

/** What a decision would do, worked out beside the work of this thread. */
export async function plannedBy<Plan>(
  context: ConsoleContext,
  verb: VerbName,
  request: unknown,
): Promise<Plan> {
  return (await context.query('plan', { verb, request })) as Plan;
}
