import { hash } from 'node:crypto';
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

/** The mark of a ledger as it is now; what it says has been committed. */
export function ledgerMark(ledger: Ledger): LedgerMark {
  return {
    ledger: fingerprint(ledger.salt),
    ...(prepared(ledger, HIGHEST).get() as Omit<LedgerMark, 'ledger'>),
  };
}

const HIGHEST = `select (select coalesce(max(run_id), 0) from run) as run,
  (select coalesce(max(drop_id), 0) from "drop") as "drop",
  (select coalesce(max(attempt_id), 0) from attempt) as attempt`;

function fingerprint(salt: string): string {
  return hash('sha256', `ledger/${salt}`, 'hex').slice(0, 16);
}

/**
 * Notes that this ledger took the place of another one.
 * @param strangeDrop the highest number that a file in archive/ bears: up to it they may be the other one's.
 * @param isUnknown nobody could ask the other one what it had sent in the last minute.
 */
export function noteSuccession(ledger: Ledger, strangeDrop: number, isUnknown: boolean): void {
  const noted = { strange_drop: strangeDrop, ...(isUnknown ? { successor: 1 as const } : {}) };
  change(ledger, query.updateTable('ledger').set(noted));
}

/** True where the ledger took the place of one that nobody could ask. */
export function isSuccessor(ledger: Ledger): boolean {
  return first(ledger, query.selectFrom('ledger').select('successor'))?.successor === 1;
}

/**
 * Of numbers that files in archive/ bear, those that no drop of this ledger can have given them: it has no such drop, or
 * none that was published, and the file came after whatever ledger was there before.
 */
export function unknownDrops(ledger: Ledger, numbers: readonly number[]): number[] {
  const strange = first(ledger, query.selectFrom('ledger').select('strange_drop as number'))?.number ?? 0;
  return numbers.filter(
    (number) => number > strange && prepared(ledger, PUBLISHED).get(number) === undefined,
  );
}

const PUBLISHED = `select 1 from "drop" where drop_id = ? and state = 'published'`;
