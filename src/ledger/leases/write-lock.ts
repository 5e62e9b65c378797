import { isLocked } from '../../domain/process/io-hints.js';
import { type Ledger, writing } from '../store/query.js';
import { openDatabase } from '../store/sqlite/driver.js';
import { executorOn } from '../store/sqlite/executor.js';

/**
 * Takes the lock that every write to a ledger needs, and gives it back; false where another process has it all the time. Throws what
 * the engine says of a ledger that can't be written. Of a file on a connection of its own, which also opens the file anew.
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
