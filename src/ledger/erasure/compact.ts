import type { RawBuilder } from 'kysely';
import { isOtherPushRunning } from '../leases/leases.js';
import { erased, isKept, type PersonalColumns } from '../store/personal.js';
import { change, type Ledger, query, writing } from '../store/query.js';
import { emptyLog, overwriting, rewriteFile } from '../store/sqlite/rewrite-file.js';

/** Like `writing`, but deleted and cleared data is overwritten with zeros, not only marked as free. */
export async function erasing<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  return writing(ledger, async (ledger) => overwriting(ledger, async () => work(ledger)));
}

/** Clears the personal columns of a table's rows that match a condition. @returns how many rows had personal data. */
export function clear(ledger: Ledger, table: PersonalColumns['table'], which: RawBuilder<boolean>) {
  return change(ledger, query.updateTable(table).set(erased(table)).where(isKept(table)).where(which));
}

/**
 * Rewrites the whole ledger and empties its log, so that its files contain no erased data and are as small as
 * possible. No other process can write meanwhile. Needs free space for twice the ledger, half of it in SQLite's
 * folder for temporary files. The log isn't truncated while another process reads the ledger.
 * @returns false: only the log was emptied, because another process delivers: it would wait for the whole rewrite, and fail.
 */
export async function compactLedger(ledger: Ledger): Promise<boolean> {
  const isFree = !(await isOtherPushRunning(ledger));
  if (isFree) await rewriteFile(ledger);
  await emptyLog(ledger);
  return isFree;
}
