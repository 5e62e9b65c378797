import type { Imbalance } from '../../../documents/report.js';
import type { Ledger } from '../../store/query.js';
import { type FileHealth, fileHealth } from '../../store/sqlite/file-health.js';
import { type LedgerTotals, ledgerTotals } from '../../store/totals.js';
import { type DamagedRow, damagedRows } from '../../submissions/record/damaged-rows.js';
import { imbalances } from './imbalances.js';

/** The faults of a ledger, by SQLite's own checks and by the ledger's equations. */
export interface LedgerHealth extends FileHealth {
  /** Damaged records; null where they were not compared, or can't be read. */
  readonly damaged: DamagedContent | null;
  /** The control equations that don't hold; [] where the books balance; null where damage keeps them from being read. */
  readonly imbalances: readonly Imbalance[] | null;
  /** The ledger's totals; null where damage keeps them from being read. */
  readonly totals: LedgerTotals | null;
}

/** The number of damaged rows, and the first of them. */
export interface DamagedContent {
  readonly count: number;
  readonly first: readonly DamagedRow[];
}

/** A database looks after its own files. */
const SOUND: FileHealth = { damage: [], danglingRows: 0, journalMode: 'wal' };

/** Damaged rows that are named. */
const MAX_NAMED = 10;

/**
 * Checks the whole file of the ledger for damage and its books for balance, and reads its totals.
 * @param how `quick` doesn't compare each index with its table, which takes most of the time; `deep` also compares records with
 *   their digests, a second for a million rows.
 */
export async function ledgerHealth(ledger: Ledger, how: 'quick' | 'full' | 'deep'): Promise<LedgerHealth> {
  const ofFile = ledger.file === null ? SOUND : fileHealth(ledger.file, how);
  const isDamaged = ofFile.damage.length > 0;
  return {
    ...ofFile,
    damaged: how === 'deep' ? await unlessDamaged(isDamaged, async () => damagedContent(ledger)) : null,
    imbalances: await unlessDamaged(isDamaged, async () => imbalances(ledger)),
    totals: await unlessDamaged(isDamaged, async () => ledgerTotals(ledger)),
  };
}

/** Where SQLite finds damage, the rows may be unreadable: null then. */
async function unlessDamaged<T>(isDamaged: boolean, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isDamaged) throw error;
    return null;
  }
}

async function damagedContent(ledger: Ledger): Promise<DamagedContent> {
  const first: DamagedRow[] = [];
  let count = 0;
  for await (const row of damagedRows(ledger)) {
    count += 1;
    if (count <= MAX_NAMED) first.push(row);
  }
  return { count, first };
}
