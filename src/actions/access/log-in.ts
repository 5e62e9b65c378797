import type { Person } from '../../domain/access/role.js';
import type { ActionContext } from '../context.js';
export type LogIn =
  | { readonly person: Person }
  | { readonly refused: 'wrong' | 'limited'; readonly retryAfterMs: number };
export async function logIn(
  _c: ActionContext,
  _r: { name: string; password: string; address: string },
): Promise<LogIn> {
  throw new Error();
}
