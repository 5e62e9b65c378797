import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { isInPlace } from './open.js';
import { fileOf, type Ledger, prepared } from './query.js';

/** The identity of a ledger and how far it has come: enough to notice, without the ledger, that it is missing or another one. */
export interface LedgerMark {
  /** Tells ledgers apart and gives nothing away: a hash of the salt. */
  readonly ledger: string;
  /** The highest numbers that it has given; 0 where it has given none. They never go back. */
  readonly run: number;
  readonly drop: number;
  readonly attempt: number;
}

/** A ledger's present mark, and whether it can be trusted. */
export type CurrentMark = ReturnType<typeof ledgerMark>;

/**
 * Reads the ledger's mark, and whether its file is still in place. Synchronous, between two transactions or in one, because
 * reports of progress can't wait.
 * @param log 'written': first writes as much of the log as possible into the ledger, without making any process wait; nothing of
 *   it within a transaction.
 */
export function ledgerMark(ledger: Ledger, log: 'as-it-is' | 'written' = 'as-it-is') {
  const { sqlite } = fileOf(ledger);
  const isCommitted = !sqlite.inTransaction;
  if (log === 'written' && isCommitted) sqlite.pragma('wal_checkpoint(passive)');
  return {
    ledger: fingerprint(ledger.salt),
    ...(prepared(ledger, HIGHEST).get() as Omit<LedgerMark, 'ledger'>),
    /** False while this process is in a transaction: a rollback may still undo what the mark says. */
    isCommitted,
    /** False where the ledger's file is no longer the one that its name leads to: it was moved away, deleted or replaced. */
    isInPlace: isInPlace(ledger),
  };
}

/** The highest numbers of a ledger, for either engine. */
export const HIGHEST = `select (select coalesce(max(run_id), 0) from run) as run,
  (select coalesce(max(drop_id), 0) from drop_file) as "drop",
  (select coalesce(max(attempt_id), 0) from attempt) as attempt`;

/** Tells ledgers apart by their salt. */
export function fingerprint(salt: string): string {
  return hash('sha256', `ledger/${salt}`, 'hex').slice(0, 16);
}

/**
 * Records that this ledger replaced another one, whose requests of the last minute are unknown.
 * @param strangeDrop the highest number of a file in archive/: files up to it may belong to the other ledger.
 */
export async function noteSuccession(ledger: Ledger, strangeDrop: number): Promise<void> {
  await ledger.db.updateTable('ledger').set({ strange_drop: strangeDrop, successor: 1 }).execute();
}

/** True where the ledger replaced another one. */
export async function isSuccessor(ledger: Ledger): Promise<boolean> {
  return (await ledger.db.selectFrom('ledger').select('successor').executeTakeFirst())?.successor === 1;
}

/**
 * The numbers of archived files that this ledger doesn't know: it has no published drop with the number, and the file came after
 * whatever ledger was there before.
 */
export async function unknownDrops(ledger: Ledger, numbers: readonly number[]): Promise<number[]> {
  const strange =
    (await ledger.db.selectFrom('ledger').select('strange_drop as number').executeTakeFirst())?.number ?? 0;
  const known = await ledger.db
    .selectFrom('drop_file')
    .select('drop_id as dropId')
    .where('state', '=', sql.lit('published'))
    .where('drop_id', '>', strange)
    .execute();
  const published = new Set(known.map(({ dropId }) => dropId));
  return numbers.filter((number) => number > strange && !published.has(number));
}
