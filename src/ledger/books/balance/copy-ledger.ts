import { countOf } from '../../../domain/text/count-of.js';
import { GROWING, ledgerTotals } from '../../store/ledger-facts.js';
import { closeLedger, openLedgerToRead } from '../../store/open.js';
import type { Ledger } from '../../store/query.js';
import { copyFile } from '../../store/sqlite/rewrite-file.js';
import { ledgerHealth } from './ledger-health.js';

/**
 * Copies a snapshot of the ledger into a missing or empty file, and checks the copy: SQLite's own checks, references,
 * books and counts. The caller syncs the file.
 * @returns `balanced`: false for an exact copy of a ledger whose books don't balance; `damaged`: the number of
 * damaged records, which are also damaged in the ledger; `fault`: a fault of the copy, such as missing rows; null:
 * none.
 */
export async function copyLedger(ledger: Ledger, path: string) {
  const before = await ledgerTotals(ledger);
  await copyFile(ledger, path);
  const copy = openLedgerToRead(path, ledger.clock);
  if (copy === null) throw new Error('the copy is gone');
  try {
    const { damage, danglingRows, damaged, imbalances } = await ledgerHealth(copy, 'deep');
    const rows = damaged?.count ?? 0;
    const totals = await ledgerTotals(copy);
    // Runs may have added rows to the original meanwhile, but no row may be missing.
    const after = await ledgerTotals(ledger);
    const missing = GROWING.find((name) => totals[name] < before[name] || totals[name] > after[name]);
    const fault =
      damage[0] ??
      (danglingRows > 0 ? `${countOf(danglingRows, 'row refers', 'rows refer')} to missing rows` : null) ??
      (missing === undefined ? null : `it has ${totals[missing]} ${missing} of ${before[missing]}`);
    const balanced = fault === null && imbalances?.length === 0;
    return { totals, balanced, damaged: rows, fault };
  } finally {
    closeLedger(copy);
  }
}
