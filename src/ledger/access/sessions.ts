import { sql } from 'kysely';
import type { Person } from '../../domain/access/role.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { bytes, type Ledger, writing } from '../store/query.js';

/** How somebody has logged in. A proxy names its people with each request, and needs no session. */
export type SessionKind = 'password' | 'oidc';

/** A session that goes on. */
export interface KeptSession {
  /** With the role at the log-in. */
  readonly person: Person;
  readonly how: SessionKind;
  /** By which the caller notices a changed password; null for other kinds. */
  readonly stamp: string | null;
  /** ISO time at which it ends in any case. */
  readonly expiresAt: string;
}

/** How long sessions go on. */
export interface SessionLimits {
  /** Without a request. */
  readonly idleMs: number;
  /** In any case. */
  readonly longestMs: number;
}

/** A person who clicks through pages costs one write a minute. */
const SEEN_EVERY_MS = 60_000;

/** Records that a person has logged in, and forgets the sessions that are over. */
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
    await ledger.db
      .insertInto('session')
      .values({
        secret_hash: bytes(secretHash),
        ...person,
        how,
        stamp,
        started_at: now,
        seen_at: now,
        expires_at: expiresAt,
      })
      .execute();
  });
  return { expiresAt };
}

/**
 * Finds a session that goes on, and notes at most once a minute that it is used; null: there is none, or it is over. It takes
 * no lock but to note that.
 */
export async function findSession(
  ledger: Ledger,
  secretHash: string,
  { idleMs, longestMs }: SessionLimits,
): Promise<KeptSession | null> {
  const nowMs = ledger.clock.nowMs();
  const found = await ledger.db
    .selectFrom('session')
    .select(['name', 'role', 'how', 'stamp', 'started_at', 'seen_at', 'expires_at'])
    .where('secret_hash', '=', bytes(secretHash))
    .executeTakeFirst();
  if (found === undefined) return null;
  const { name, role, how, stamp, started_at, seen_at, expires_at } = found;
  // A limit that was made shorter since counts at once.
  const endMs = Math.min(msFromIso(expires_at), msFromIso(started_at) + longestMs);
  const sinceSeenMs = nowMs - msFromIso(seen_at);
  if (nowMs >= endMs || sinceSeenMs >= idleMs) return null;
  if (sinceSeenMs >= Math.min(SEEN_EVERY_MS, idleMs / 2)) {
    await ledger.db
      .updateTable('session')
      .set({ seen_at: isoFromMs(nowMs) })
      .where('secret_hash', '=', bytes(secretHash))
      .execute();
  }
  return { person: { name, role }, how, stamp, expiresAt: isoFromMs(endMs) };
}

/** Ends a session, where it goes on. */
export async function closeSession(ledger: Ledger, secretHash: string): Promise<void> {
  await ledger.db.deleteFrom('session').where('secret_hash', '=', bytes(secretHash)).execute();
}
