import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { msSince } from './measure.js';

/** How often the lock is requested: often enough to meet every long transaction. */
const EVERY_MS = 5;

/** The longest wait for a ledger's write lock while `work` was running, in milliseconds. */
export async function longestWriteLock(database: string, work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  let longestMs = 0;
  while (!isDone) {
    await setTimeout(EVERY_MS);
    if (existsSync(database)) longestMs = Math.max(longestMs, await lockMs(database));
  }
  await working;
  return longestMs;
}

/** Tries as often as a waiting process of Registrar. */
async function lockMs(database: string): Promise<number> {
  const connection = new BetterSqlite3(database, { timeout: 0 });
  const started = process.hrtime.bigint();
  try {
    for (;;) {
      try {
        connection.exec('begin immediate; rollback');
        return msSince(started);
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
        await setTimeout(10);
      }
    }
  } finally {
    connection.close();
  }
}
