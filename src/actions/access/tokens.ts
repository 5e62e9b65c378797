import type { Person } from '../../domain/access/role.js';
import { isSameUser, userNameMistake } from '../../domain/access/user-name.js';
import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { errorsOf } from '../../domain/operator-error.js';
import {
  findToken,
  type ListedToken,
  readTokens,
  recordToken,
  withdrawToken,
} from '../../ledger/access/tokens.js';
import { readState } from '../../ledger/books/state/read-state.js';
import type { ActionContext } from '../context.js';
import { hashOf, newSecret } from './secret.js';

export interface TokenRequest extends Person {
  /** For how many days, from now, it is valid; null or absent: until it is revoked. */
  readonly days?: number | null;
}

const DAY_MS = 24 * 3_600_000;
/** A hundred years: anything longer is a typo. */
const MAX_DAYS = 36_500;

/** Creates a token for a program. Its secret is shown once. Throws OperatorError for an invalid name or number of days. */
export async function addToken(
  { ledger, config }: ActionContext,
  { days = null, ...person }: TokenRequest,
  who: Decider,
): Promise<{ readonly secret: string; readonly expiresAt: string | null }> {
  const { name } = person;
  const mistake = userNameMistake(name);
  if (mistake !== null) throw refused(name, `"${name}" ${mistake}`, 'Choose another name.');
  const { signIns } = await readState(ledger, ['signIns']);
  const people = [...config.console.users.map((user) => user.name), ...signIns.keys()];
  if (people.some((person) => isSameUser(person, name))) {
    const hint = 'Choose another: what a token does is recorded under its name.';
    throw refused(name, `"${name}" is a person who signs in`, hint);
  }
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)) {
    const hint = `Give it 1 to ${MAX_DAYS} days, or none.`;
    throw refused(name, `a token can't be valid for ${days} days`, hint);
  }
  const { secret, hash } = newSecret();
  const expiresAt = days === null ? null : isoFromMs(ledger.clock.nowMs() + days * DAY_MS);
  if (await recordToken(ledger, hash, person, who, expiresAt)) return { secret, expiresAt };
  const hint = `Choose another name, or revoke that token first: registrar token revoke ${name}`;
  throw refused(name, `a token "${name}" already exists`, hint);
}

/** The user of a token; null: the token is invalid. */
export function tokenPerson({ ledger }: ActionContext, secret: string): Promise<Person | null> {
  return findToken(ledger, hashOf(secret));
}

/** All tokens, revoked and expired ones too, in the order in which they were added. */
export async function listTokens({ ledger }: ActionContext): Promise<readonly ListedToken[]> {
  return readTokens(ledger);
}

/** Revokes a token at once. Throws OperatorError if no valid token has that name. */
export async function revokeToken({ ledger }: ActionContext, name: string, who: Decider): Promise<void> {
  if (await withdrawToken(ledger, name, who)) return;
  const tokens = await readTokens(ledger);
  const valid = tokens.filter(({ revoked }) => revoked === null).map((token) => token.name);
  const isThere = tokens.some((token) => token.name === name);
  const message = isThere ? `the token "${name}" is already revoked` : `there is no token "${name}"`;
  const hint = valid.length === 0 ? 'No token can be revoked.' : `Valid tokens: ${valid.join(', ')}.`;
  throw errorsOf('revoke a token')(name, message, hint);
}

const refused = errorsOf('add a token');
