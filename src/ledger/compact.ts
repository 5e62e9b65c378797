import type { Ledger } from './query.js';

/** While `work` runs, what is deleted or cleared on this connection is overwritten with zeros, not only marked as free. */
export async function overwritingDeleted<T>({ sqlite }: Ledger, work: () => Promise<T>): Promise<T> {
  const before = sqlite.pragma('secure_delete', { simple: true }) as number;
  sqlite.pragma('secure_delete = on');
  try {
    return await work();
  } finally {
    // What follows in this process, such as staging, would be slower for nothing.
    sqlite.pragma(`secure_delete = ${before}`);
  }
}

/**
 * Writes the whole ledger anew, so that nothing is left in it of what was erased and its file is as small as can be.
 * Nobody else can write meanwhile; it needs room for twice the ledger, half of it where SQLite keeps temporary files.
 */
export function compactLedger({ sqlite }: Ledger): void {
  // Else the whole of it would be built up in memory.
  sqlite.pragma('temp_store = file');
  try {
    sqlite.exec('vacuum');
  } finally {
    sqlite.pragma('temp_store = memory');
  }
}

/** Writes as much of the log into the ledger as can be without anybody having to wait. */
export function checkpoint({ sqlite }: Ledger): void {
  sqlite.pragma('wal_checkpoint(passive)');
}

/**
 * Writes the log into the ledger and makes its file empty, for it holds pages as they were before.
 * @returns false while somebody else reads the ledger: then it keeps its length.
 */
export function emptyLog({ sqlite }: Ledger): boolean {
  const [result] = sqlite.pragma('wal_checkpoint(truncate)') as { busy: number }[];
  return result?.busy === 0;
}
