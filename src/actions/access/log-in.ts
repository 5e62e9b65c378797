import pLimit from 'p-limit';
import { readPasswordHash } from '../../domain/access/password-hash.js';
import type { Person } from '../../domain/access/role.js';
import { isSameUser } from '../../domain/access/user-name.js';
import { onceFor } from '../../domain/process/once.js';
import { recordEvent } from '../../ledger/access/audit-log.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { ActionContext } from '../context.js';
import { logInAttempts } from './attempts.js';
import { dummyHash, isPassword } from './password.js';

/** What was typed, and the IP address of the browser where it is known. */
interface LogInRequest {
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

/**
 * Checks a sign-in. `wrong`: the name or the password; the answer doesn't show which. `limited`: too many wrong ones came for
 * the name from this address or from the address, or too many at once; the password was not checked.
 */
export type LogIn =
  | { readonly person: Person }
  | { readonly refused: 'wrong' | 'limited'; readonly retryAfterMs: number };

/** Two of the four threads that also read files: the others stay free. */
const AT_ONCE = 2;
/** They take half a second. */
const MAY_WAIT = 10;
const BUSY_MS = 1_000;

/** Longer names and passwords are refused without a check. */
const MAX_LETTERS = 1_024;

/** Compares a name and a password with the users of registrar.yaml, within the limits of this process. */
export async function logIn(
  { config, ledger }: ActionContext,
  { name, password, address }: LogInRequest,
): Promise<LogIn> {
  const { attempts, hashing } = limitsOf(ledger);
  if (hashing.pendingCount >= MAY_WAIT) return { refused: 'limited', retryAfterMs: BUSY_MS };
  const key = name.slice(0, MAX_LETTERS).normalize('NFC').toLowerCase();
  const attempt = attempts.begin(key, address);
  if (attempt.retryAfterMs !== undefined) return { refused: 'limited', retryAfterMs: attempt.retryAfterMs };
  if (attempt.slowedMs > 0) await ledger.local.sleep(attempt.slowedMs, new AbortController().signal);
  const { users } = config.console;
  const user = users.find((candidate) => isSameUser(candidate.name, name));
  const stored = readPasswordHash((user ?? users[0])?.password ?? '');
  const compared = user === undefined || stored === null ? dummyHash(stored) : stored;
  const isCorrect =
    (await hashing(isPassword, password.slice(0, MAX_LETTERS), compared)) && password.length <= MAX_LETTERS;
  // A name that no user has may be a password that was typed into the wrong field: it isn't recorded.
  if (user === undefined) return WRONG;
  if (!isCorrect) {
    await recordEvent(ledger, 'sign-in-refused', { name: user.name, door: 'console' });
    return WRONG;
  }
  attempt.right();
  return { person: { name: user.name, role: user.role } };
}

const WRONG = { refused: 'wrong', retryAfterMs: 0 } as const;

/** Attempts are counted per open ledger, so that a reload of the configuration keeps them. */
const limitsOf = onceFor(({ clock }: Ledger) => {
  return { attempts: logInAttempts(clock), hashing: pLimit(AT_ONCE) };
});
