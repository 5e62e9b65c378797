import { type Ledger, writing } from '../store/query.js';
import { openDatabase } from '../store/sqlite/driver.js';

/** Commits end within a second; between two attempts to get the lock others of this process go on. */
const AGAIN_MS = 50;

/**
 * Takes the lock that every write to a ledger needs, and gives it back; false where another process has it all the time. Throws what
 * the engine says of a ledger that can't be written. Of a file on a connection of its own, which also opens the file anew.
 */
export async function canWrite(ledger: Ledger, withinMs: number): Promise<boolean> {
  const { clock, file } = ledger;
  if (file === null) return writing(ledger, async () => true);
  const lastMs = clock.monotonicMs() + withinMs;
  const sqlite = openDatabase(file.path, { timeout: 0, fileMustExist: true });
  try {
    for (;;) {
      try {
        sqlite.exec('begin immediate');
        sqlite.exec('rollback');
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      }
      if (clock.monotonicMs() >= lastMs) return false;
      await clock.sleep(AGAIN_MS);
    }
  } finally {
    sqlite.close();
  }
}
