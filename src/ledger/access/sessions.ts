import { sql } from 'kysely';
import type { Person } from '../../domain/access/role.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { rowOf, updateRows } from '../store/by-key.js';
import { bytes, type Ledger, writing } from '../store/query.js';
import { recordEvent } from './audit-log.js';

/** How a person signed in. A proxy identifies people with each request, and needs no session. */
export type SessionKind = 'password' | 'oidc';

export interface KeptSession {
  /** With the role at sign-in. */
  readonly person: Person;
  readonly how: SessionKind;
  /** Changes with the password, so that the caller can end the session; null for other kinds. */
  readonly stamp: string | null;
  /** ISO time at which it expires, even if it is used. */
  readonly expiresAt: string;
}

/** How long a session lasts without a request, and since sign-in. */
export type SessionLimits = Readonly<Record<'idleMs' | 'longestMs', number>>;

/** How often to record the use of a session: one write per minute, however many pages are read. */
const SEEN_EVERY_MS = 60_000;

/** Records that a person has signed in, also for the audit log, and deletes expired sessions. */
export async function openSession(
  ledger: Ledger,
  secretHash: string,
  { person, how, stamp, idleMs, longestMs }: Omit<KeptSession, 'expiresAt'> & SessionLimits,
): Promise<Pick<KeptSession, 'expiresAt'>> {
  const nowMs = ledger.clock.nowMs();
  const now = isoFromMs(nowMs);
  const expiresAt = isoFromMs(nowMs + longestMs);
  await writing(ledger, async (ledger) => {
    const over = sql<boolean>`(expires_at <= ${now} or seen_at <= ${isoFromMs(nowMs - idleMs)})`;
    await ledger.db.deleteFrom('session').where(over).execute();
    const times = { started_at: now, seen_at: now, expires_at: expiresAt };
    const session = { secret_hash: bytes(secretHash), ...person, method: how, stamp, ...times };
    await ledger.db.insertInto('session').values(session).execute();
    await recordEvent(ledger, 'sign-in', { name: person.name, door: 'console' });
  });
  return { expiresAt };
}

/**
 * Finds a valid session, and records its use at most once a minute; null: there is none, or it has expired. Takes a
 * lock only to record the use. @param isUsed false: a page updates itself, which is no use.
 */
export async function findSession(
  ledger: Ledger,
  secretHash: string,
  { idleMs, longestMs }: SessionLimits,
  isUsed = true,
): Promise<KeptSession | null> {
  const nowMs = ledger.clock.nowMs();
  const key = { secret_hash: bytes(secretHash) };
  const session = await rowOf(ledger, 'session', key);
  if (session === undefined) return null;
  const { name, role, method: how, stamp, started_at, seen_at, expires_at } = session;
  // A limit that was shortened since sign-in applies at once.
  const endMs = Math.min(msFromIso(expires_at), msFromIso(started_at) + longestMs);
  const sinceSeenMs = nowMs - msFromIso(seen_at);
  if (nowMs >= endMs || sinceSeenMs >= idleMs) return null;
  if (isUsed && sinceSeenMs >= Math.min(SEEN_EVERY_MS, idleMs / 2)) {
    await updateRows(ledger, 'session', key, { seen_at: isoFromMs(nowMs) });
  }
  return { person: { name, role }, how, stamp, expiresAt: isoFromMs(endMs) };
}

/** Ends a session; does nothing if it has ended. */
export async function closeSession(ledger: Ledger, secretHash: string): Promise<void> {
  await writing(ledger, async (ledger) => {
    const ended = await ledger.db
      .deleteFrom('session')
      .where('secret_hash', '=', bytes(secretHash))
      .returning('name')
      .executeTakeFirst();
    if (ended !== undefined) await recordEvent(ledger, 'sign-out', { name: ended.name, door: 'console' });
  });
}
