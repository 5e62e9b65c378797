import type { Person } from '../../domain/access/role.js';
import type { ActionContext } from '../context.js';
export async function sessionPerson(_c: ActionContext, _secret: string): Promise<Person | null> {
  return null;
}
export async function startSession(
  _c: ActionContext,
  _p: Person,
  _h: 'password' | 'oidc',
): Promise<{ secret: string; expiresAt: string }> {
  throw new Error();
}
export async function endSession(_c: ActionContext, _secret: string): Promise<void> {}
