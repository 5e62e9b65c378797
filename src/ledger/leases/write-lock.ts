import { isLocked } from '../../domain/process/io-hints.js';
import { type Ledger, writing } from '../store/query.js';
import { openDatabase } from '../store/sqlite/driver.js';
import { executorOn } from '../store/sqlite/executor.js';

/**
 * Checks that the ledger can be written: takes the write lock and releases it; false: another process keeps it.
 * Throws the engine's error of a ledger that can't be written. Opens a file again, on a separate connection.
 */
export async function canWrite(ledger: Ledger, withinMs: number): Promise<boolean> {
  const { clock, file } = ledger;
  if (file === null) return writing(ledger, async () => true);
  const sqlite = openDatabase(file.path, { timeout: withinMs, fileMustExist: true });
  try {
    const db = executorOn(sqlite, new Map(), clock);
    return await db.transaction().execute(async () => true);
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  } finally {
    sqlite.close();
  }
}
