import type { Ledger } from './query.js';

/**
 * Writes the ledger as it is at one moment into a file that is missing or empty. `vacuum into` reads in one transaction,
 * so it keeps no writer waiting and no writer makes it begin again, as every commit does to SQLite's online backup; and it
 * leaves out the free pages, in which erased text may still stand. It doesn't sync: that is the caller's.
 */
export function copyLedger({ sqlite }: Ledger, path: string): void {
  const isReadOnly = sqlite.pragma('query_only', { simple: true });
  // It writes to no table, but SQLite counts it among what writes.
  sqlite.pragma('query_only = off');
  try {
    sqlite.prepare('vacuum into ?').run(path);
  } finally {
    sqlite.pragma(`query_only = ${isReadOnly}`);
  }
}
