import type { Verb } from '../../actions/decision/verb.js';
import type { ConsoleContext } from './console-context.js';

/** What a decision would do, worked out beside the work of this thread. */
export async function plannedBy<Request, Plan>(
  context: ConsoleContext,
  { name }: Pick<Verb<Request, Plan, never>, 'name' | 'preview'>,
  request: Request,
): Promise<Plan> {
  // A verb's plan is the query of its name.
  const query = context.query as (name: string, request: unknown) => Promise<unknown>;
  return (await query(`${name}Plan`, request)) as Plan;
}
