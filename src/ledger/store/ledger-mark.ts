import { hash } from 'node:crypto';
import { isInPlace } from './open.js';
import { change, first, type Ledger, prepared, query } from './query.js';

/** Which ledger this is and how far it goes: enough to tell, without it, that it is missing or not the one it was. */
export interface LedgerMark {
  /** Tells ledgers apart and gives nothing away: a hash of the salt. */
  readonly ledger: string;
  /** Highest numbers it has given; 0 where it has given none. None of them ever goes back. */
  readonly run: number;
  readonly drop: number;
  readonly attempt: number;
}

/** A ledger's mark as it is now, and what it is worth. */
export interface CurrentMark extends LedgerMark {
  /** False while this process is in a transaction: what the mark says may still be taken back. */
  readonly isCommitted: boolean;
  /** False where the ledger's file is no longer the one that its name leads to: it was moved away, deleted or replaced. */
  readonly isInPlace: boolean;
}

/**
 * Says which ledger this is, how far it goes and whether it is still in its place. Asks at once, between two transactions or in
 * one: who is told of progress doesn't wait.
 * @param log 'written': as much of the log as can be is written into the ledger first, without anybody having to wait; nothing
 *   of it within a transaction.
 */
export function ledgerMark(ledger: Ledger, log: 'as-it-is' | 'written' = 'as-it-is'): CurrentMark {
  const isCommitted = !ledger.sqlite.inTransaction;
  if (log === 'written' && isCommitted) ledger.sqlite.pragma('wal_checkpoint(passive)');
  return {
    ledger: fingerprint(ledger.salt),
    ...highestNumbers(ledger),
    isCommitted,
    isInPlace: isInPlace(ledger),
  };
}

function highestNumbers(ledger: Ledger): Omit<LedgerMark, 'ledger'> {
  const { dropId, ...highest } = prepared(ledger, HIGHEST).get() as Highest;
  return { ...highest, drop: dropId };
}

type Highest = Pick<LedgerMark, 'run' | 'attempt'> & { readonly dropId: number };

const HIGHEST = `select (select coalesce(max(run_id), 0) from run) as run,
  (select coalesce(max(drop_id), 0) from drop_file) as dropId,
  (select coalesce(max(attempt_id), 0) from attempt) as attempt`;

function fingerprint(salt: string): string {
  return hash('sha256', `ledger/${salt}`, 'hex').slice(0, 16);
}

/**
 * Notes that this ledger took the place of another one.
 * @param strangeDrop the highest number that a file in archive/ bears: up to it they may be the other one's.
 * @param isUnknown nobody could ask the other one what it had sent in the last minute.
 */
export async function noteSuccession(ledger: Ledger, strangeDrop: number, isUnknown: boolean): Promise<void> {
  const noted = { strange_drop: strangeDrop, ...(isUnknown ? { successor: 1 as const } : {}) };
  await change(ledger, query.updateTable('ledger').set(noted));
}

/** True where the ledger took the place of one that nobody could ask. */
export async function isSuccessor(ledger: Ledger): Promise<boolean> {
  return (await first(ledger, query.selectFrom('ledger').select('successor')))?.successor === 1;
}

/**
 * Of numbers that files in archive/ bear, those that no drop of this ledger can have given them: it has no such drop, or
 * none that was published, and the file came after whatever ledger was there before.
 */
export async function unknownDrops(ledger: Ledger, numbers: readonly number[]): Promise<number[]> {
  const strange =
    (await first(ledger, query.selectFrom('ledger').select('strange_drop as number')))?.number ?? 0;
  return numbers.filter(
    (number) => number > strange && prepared(ledger, PUBLISHED).get(number) === undefined,
  );
}

const PUBLISHED = `select 1 from drop_file where drop_id = ? and state = 'published'`;
