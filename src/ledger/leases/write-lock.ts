import type { Clock } from '../../domain/clock.js';
import { openDatabase } from '../store/driver.js';

/** Commits end within a second; between two attempts to get the lock others of this process go on. */
const AGAIN_MS = 50;

/**
 * Takes the lock that every write to a ledger's file needs, and gives it back; false where another process has it all the
 * time. Throws what SQLite says of a file that can't be written. On a connection of its own, which also opens the file anew.
 */
export async function canWrite(path: string, clock: Clock, withinMs: number): Promise<boolean> {
  const lastMs = clock.monotonicMs() + withinMs;
  const sqlite = openDatabase(path, { timeout: 0, fileMustExist: true });
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
