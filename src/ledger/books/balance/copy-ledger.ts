import { closeLedger, openLedgerToRead } from '../../store/open.js';
import type { Ledger } from '../../store/query.js';
import { copyFile } from '../../store/sqlite/rewrite-file.js';
import { ledgerHealth } from './ledger-health.js';

/**
 * Copies a snapshot of the ledger into a missing or empty file, and checks the copy: SQLite's own checks, references
 * and books. The caller syncs the file.
 * @returns `balanced`: false for an exact copy of a ledger whose books don't balance; `damaged`: the number of
 * damaged records, which are also damaged in the ledger; `fault`: a fault of the copy; null: none;
 * `totals`: null where they can't be read because of it.
 */
export async function copyLedger(ledger: Ledger, path: string) {
  await copyFile(ledger, path);
  const copy = openLedgerToRead(path, ledger.clock);
  if (copy === null) throw new Error('the copy is gone');
  try {
    const { fault, damaged, imbalances, totals } = await ledgerHealth(copy, 'deep');
    return { totals, balanced: imbalances?.length === 0, damaged: damaged?.count ?? 0, fault };
  } finally {
    closeLedger(copy);
  }
}
