import { ledgerTotals } from '../../store/ledger-facts.js';
import { openLedgerToRead, withLedger } from '../../store/open.js';
import type { Ledger } from '../../store/query.js';
import { fileFault } from '../../store/sqlite/file-health.js';
import { copyFile } from '../../store/sqlite/rewrite-file.js';
import { damagedRows } from '../../submissions/record/kept-record.js';
import { imbalances } from './imbalances.js';

/** The number of damaged rows, and the first of them. */
export type DamagedContent = Awaited<ReturnType<typeof damagedContent>>;

const MAX_NAMED = 10;

/**
 * Checks the whole file of the ledger for damage and its books for balance, and reads its totals.
 * @returns null for parts that were not checked, or can't be read because of damage; `imbalances`: []: the books balance.
 * @param how `quick` doesn't compare each index with its table, which takes most of the time; `deep` also compares records with
 * their digests, which takes a second for a million rows.
 */
export async function ledgerHealth(ledger: Ledger, how: 'quick' | 'full' | 'deep') {
  // A database checks its files itself.
  const fault = ledger.file === null ? null : fileFault(ledger.file, how);
  const isDamaged = fault !== null;
  return {
    fault,
    damaged: how === 'deep' ? await unlessDamaged(isDamaged, async () => damagedContent(ledger)) : null,
    imbalances: await unlessDamaged(isDamaged, async () => imbalances(ledger)),
    totals: await unlessDamaged(isDamaged, async () => ledgerTotals(ledger)),
  };
}

/** Reads rows; null where the file is damaged and they can't be read. */
async function unlessDamaged<T>(isDamaged: boolean, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isDamaged) throw error;
    return null;
  }
}

async function damagedContent(ledger: Ledger) {
  const first: { readonly dropId: number; readonly file: string; readonly line: number }[] = [];
  let count = 0;
  for await (const row of damagedRows(ledger)) {
    count += 1;
    if (count <= MAX_NAMED) first.push(row);
  }
  return { count, first };
}

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
  const { fault, damaged, imbalances, totals } = await withLedger(copy, () => ledgerHealth(copy, 'deep'));
  return { totals, balanced: imbalances?.length === 0, damaged: damaged?.count ?? 0, fault };
}
