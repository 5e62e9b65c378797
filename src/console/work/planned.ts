import type { Verb } from '../../actions/decision/verb.js';
import type { Desk } from './desk.js';

/** What a decision would do, worked out beside the work of this thread. */
export async function plannedBy<Request, Plan>(
  desk: Desk,
  { name }: Pick<Verb<Request, Plan, never>, 'name' | 'preview'>,
  request: Request,
): Promise<Plan> {
  // A verb's plan is the query of its name.
  const query = desk.ask as (name: string, request: unknown) => Promise<unknown>;
  return (await query(`${name}Plan`, request)) as Plan;
}
