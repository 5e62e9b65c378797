import type { Person } from '../../domain/access/role.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { rowOf, updateRows } from '../store/by-key.js';
import { all, bytes, change, type Ledger, query } from '../store/query.js';

export type ListedToken = Awaited<ReturnType<typeof readTokens>>[number];

/** How often to record the use of a token: one write per minute, however many requests a program sends. */
const USED_EVERY_MS = 60_000;

/** Records a token under its name; false: a token that is not revoked already has the name. @param expiresAt ISO time; null: never. */
export async function recordToken(
  ledger: Ledger,
  secretHash: string,
  { name, role }: Person,
  who: Decider,
  expiresAt: string | null,
): Promise<boolean> {
  const added = { added_at: isoFromMs(ledger.clock.nowMs()), added_by: who.name, added_door: who.door };
  const token = { secret_hash: bytes(secretHash), name, role, ...added, expires_at: expiresAt };
  const insert = query
    .insertInto('api_token')
    .values(token)
    .onConflict((conflict) => conflict.column('name').where('revoked_at', 'is', null).doNothing());
  return (await change(ledger, insert)) > 0;
}

/**
 * Finds the owner of a valid token, and records its use at most once a minute; null: the token isn't valid. Takes a
 * lock only to record the use.
 */
export async function findToken(ledger: Ledger, secretHash: string): Promise<Person | null> {
  const nowMs = ledger.clock.nowMs();
  const key = { secret_hash: bytes(secretHash), revoked_at: null };
  const token = await rowOf(ledger, 'api_token', key);
  if (token === undefined) return null;
  const { name, role, expires_at: expiresAt, last_used_at: usedAt } = token;
  if (expiresAt !== null && expiresAt <= isoFromMs(nowMs)) return null;
  if (usedAt === null || nowMs - msFromIso(usedAt) >= USED_EVERY_MS) {
    await updateRows(ledger, 'api_token', key, { last_used_at: isoFromMs(nowMs) });
  }
  return { name, role };
}

/**
 * Reads all tokens, including revoked ones, in the order in which they were added. `lastUsedAt`: to the minute; null:
 * never. `expiresAt`: when it expires; null: never. `revoked`: by whom, where and when; null: it wasn't.
 */
export async function readTokens(ledger: Ledger) {
  const tokens = query.selectFrom('api_token').selectAll().orderBy('added_at').orderBy('name');
  return (await all(ledger, tokens.orderBy('secret_hash'))).map((row) => ({
    name: row.name,
    role: row.role,
    added: { name: row.added_by, door: row.added_door, at: row.added_at },
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revoked:
      row.revoked_by === null || row.revoked_door === null || row.revoked_at === null
        ? null
        : { name: row.revoked_by, door: row.revoked_door, at: row.revoked_at },
  }));
}

/** Revokes the valid token of this name, which ends its use at once; false: there is none. */
export async function withdrawToken(ledger: Ledger, name: string, who: Decider): Promise<boolean> {
  const revoked_at = isoFromMs(ledger.clock.nowMs());
  const revoked = { revoked_at, revoked_by: who.name, revoked_door: who.door };
  return (await updateRows(ledger, 'api_token', { name, revoked_at: null }, revoked)) > 0;
}
