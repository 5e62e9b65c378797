import type { RawBuilder } from 'kysely';
import { isOtherPushRunning } from '../leases/leases.js';
import { erased, isKept, type PersonalColumns } from '../store/personal.js';
import { change, type Ledger, query, writing } from '../store/query.js';
import { emptyLog, overwriting, rewriteFile } from '../store/sqlite/rewrite-file.js';

/** Like `writing`, but deleted and cleared data is overwritten with zeros, not only marked as free. */
export async function erasing<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  return writing(ledger, async (ledger) => overwriting(ledger, async () => work(ledger)));
}

/**
 * Clears what is personal in the rows of a table for which the condition holds.
 * @returns how many rows had any of it.
 */
export function clear(
  ledger: Ledger,
  table: PersonalColumns['table'],
  which: RawBuilder<boolean>,
): Promise<number> {
  return change(ledger, query.updateTable(table).set(erased(table)).where(isKept(table)).where(which));
}

/**
 * Rewrites the whole ledger and empties its log, so that its files hold nothing erased and are as small as can be. No
 * other process can write meanwhile. It needs room for twice the ledger, half of it where SQLite keeps temporary
 * files. The log keeps its length while another process reads the ledger.
 * @param when `unless-pushing` leaves the ledger as it is, with its log emptied, while another process delivers: that
 * process would have to wait for the whole rewrite, and give up.
 * @returns false when the ledger was left as it is.
 */
export async function compactLedger(ledger: Ledger, when: 'now' | 'unless-pushing'): Promise<boolean> {
  const isLeft = when === 'unless-pushing' && (await isOtherPushRunning(ledger));
  if (!isLeft) await rewriteFile(ledger);
  await emptyLog(ledger);
  return !isLeft;
}
