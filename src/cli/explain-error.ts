import { type ActionContext, findDamage } from '../actions/context.js';
import { describeFailure } from './describe-failure.js';

/** The ledger's damage, where that explains an error which looks like a bug; else the error itself. */
export async function explainError(context: ActionContext, error: unknown): Promise<unknown> {
  return describeFailure(error).exit === 'bug' ? ((await findDamage(context, error)) ?? error) : error;
}
