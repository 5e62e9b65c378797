import type { Person } from '../../domain/access/role.js';
import { isSameUser } from '../../domain/access/user-name.js';
import { closeSession, findSession, openSession, type SessionKind } from '../../ledger/access/sessions.js';
import type { ActionContext } from '../context.js';
import { hashOf, newSecret } from './secret.js';

/** Starts a session after a sign-in. `secret` goes into the browser's cookie only; `expiresAt`: when it ends at the latest. */
export async function startSession({ ledger, config }: ActionContext, person: Person, how: SessionKind) {
  const { secret, hash } = newSecret();
  const user = userNamed(config.console, person.name);
  const stamp = how === 'password' ? stampOf(user) : null;
  const { expiresAt } = await openSession(ledger, hash, { person, how, stamp, ...config.console.session });
  return { secret, expiresAt };
}

/**
 * The user of a session; null: it is unknown or over. A user of registrar.yaml has the role that it names now, and a new
 * password ends the session; a user from a provider keeps the role of the sign-in for as long as there is a provider.
 * @param isUsed as in `findSession`.
 */
export async function sessionPerson(
  { ledger, config }: ActionContext,
  secret: string,
  isUsed = true,
): Promise<Person | null> {
  const { console } = config;
  const session = await findSession(ledger, hashOf(secret), console.session, isUsed);
  if (session === null) return null;
  if (session.how === 'oidc') return console.oidc === undefined ? null : session.person;
  const user = userNamed(console, session.person.name);
  const isSame = user !== undefined && stampOf(user) === session.stamp;
  return isSame ? { name: user.name, role: user.role } : null;
}

/** Ends a session and revokes its secret. */
export async function endSession({ ledger }: ActionContext, secret: string): Promise<void> {
  await closeSession(ledger, hashOf(secret));
}

type Console = ActionContext['config']['console'];

function userNamed({ users }: Console, name: string) {
  return users.find((user) => isSameUser(user.name, name));
}

/** Changes with the password, which ends older sessions. */
function stampOf(user: Console['users'][number] | undefined): string {
  return user === undefined ? '' : hashOf(user.password).slice(0, 16);
}
