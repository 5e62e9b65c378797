import { isLocked } from '../../../domain/process/io-hints.js';
import { countOf } from '../../../domain/text/count-of.js';
import { type Ledger, type LedgerFile, writing } from '../query.js';
import { openDatabase } from './driver.js';
import { executorOn } from './executor.js';

/**
 * Runs SQLite's own checks. Returns the first damage found, which mentions tables and indexes, never content; null:
 * there is none. @param how `quick` doesn't compare each index with its table.
 */
export function fileFault({ sqlite }: LedgerFile, how: 'quick' | 'full' | 'deep'): string | null {
  const check = how === 'quick' ? 'quick_check' : 'integrity_check';
  const [damage] = Object.values((sqlite.pragma(`${check}(1)`) as Record<string, string>[])[0] ?? {});
  if (damage !== undefined && damage !== 'ok') return damage;
  const dangling = sqlite.prepare('select count(*) from pragma_foreign_key_check').pluck().get() as number;
  return dangling === 0
    ? null
    : `${countOf(dangling, 'row refers', 'rows refer')} to rows that are not there`;
}

/**
 * Checks that the ledger can be written: takes the write lock and releases it; false: another process keeps it.
 * Throws the engine's error of a ledger that can't be written. Opens a file again, on a separate connection.
 */
export async function canWrite(ledger: Ledger, withinMs: number): Promise<boolean> {
  const { clock, file } = ledger;
  if (file === null) return writing(ledger, async () => true);
  const sqlite = openDatabase(file.path, { timeout: withinMs, fileMustExist: true });
  try {
    const db = executorOn({ sqlite, statements: new Map() }, clock);
    return await db.transaction().execute(async () => true);
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  } finally {
    sqlite.close();
  }
}
