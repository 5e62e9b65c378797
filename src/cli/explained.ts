import { type ActionContext, damageBehind } from '../actions/context.js';
import { describeFailure } from './describe-failure.js';

export async function explained(context: ActionContext, error: unknown): Promise<unknown> {
  return describeFailure(error).exit === 'bug' ? ((await damageBehind(context, error)) ?? error) : error;
}
