import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { rowOf } from './by-key.js';
import { fileOf, type Ledger, prepared } from './query.js';

/** The identity and the highest numbers of a ledger: enough to detect that it is missing, replaced or older. */
export interface LedgerMark {
  /** The ledger's fingerprint: a hash of the salt, which reveals nothing. */
  readonly ledger: string;
  /** The highest numbers that it has assigned; 0: none yet. They never decrease. */
  readonly run: number;
  readonly drop: number;
  readonly attempt: number;
}

/**
 * Reads the ledger's mark. Synchronous, also within a transaction, because reports of progress can't wait.
 * `isCommitted`: false while this process is in a transaction: a rollback may still undo the numbers.
 */
export function ledgerMark(ledger: Ledger): LedgerMark & { readonly isCommitted: boolean } {
  return {
    ledger: fingerprint(ledger.salt),
    ...(prepared(ledger, HIGHEST).get() as Omit<LedgerMark, 'ledger'>),
    isCommitted: !fileOf(ledger).sqlite.inTransaction,
  };
}

/** Reads the highest numbers of a ledger, on either engine. */
export const HIGHEST = `select (select coalesce(max(run_id), 0) from run) as run,
  (select coalesce(max(drop_id), 0) from drop_file) as "drop",
  (select coalesce(max(attempt_id), 0) from attempt) as attempt`;

/** The identity of a ledger: a hash of its salt, as 16 hex digits. */
export function fingerprint(salt: string): string {
  return hash('sha256', `ledger/${salt}`, 'hex').slice(0, 16);
}

/**
 * Records that this ledger replaced another one, whose requests of the last minute are unknown.
 * @param foreignDropMax the highest number of a file in archive/: files up to it may belong to the other ledger.
 */
export async function recordSuccession(ledger: Ledger, foreignDropMax: number): Promise<void> {
  await ledger.db.updateTable('ledger').set({ foreign_drop_max: foreignDropMax, successor: 1 }).execute();
}

/** True where the ledger replaced another one. */
export async function isSuccessor(ledger: Ledger): Promise<boolean> {
  return (await rowOf(ledger, 'ledger', { ledger_id: 1 }))?.successor === 1;
}

/** The numbers of archived files of which neither this ledger nor one it replaced has a published drop. */
export async function unknownDrops(ledger: Ledger, numbers: readonly number[]): Promise<number[]> {
  const foreignMax = (await rowOf(ledger, 'ledger', { ledger_id: 1 }))?.foreign_drop_max ?? 0;
  const archived = await ledger.db
    .selectFrom('drop_file')
    .select('drop_id as dropId')
    .where('state', '=', sql.lit('published'))
    .where('drop_id', '>', foreignMax)
    .execute();
  const published = new Set(archived.map(({ dropId }) => dropId));
  return numbers.filter((number) => number > foreignMax && !published.has(number));
}
