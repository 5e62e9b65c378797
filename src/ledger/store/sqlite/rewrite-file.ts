import { sql } from 'kysely';
import type { Ledger } from '../query.js';

/**
 * Runs `work` while a setting of the file's connection has another value; a database has no such settings.
 * @param after its value from then on; left out: the one that it has now.
 */
async function withPragma<T>(
  { file }: Pick<Ledger, 'file'>,
  name: string,
  value: string,
  work: () => Promise<T>,
  after?: string,
): Promise<T> {
  if (file === null) return work();
  const { sqlite } = file;
  const before = after ?? sqlite.pragma(name, { simple: true });
  sqlite.pragma(`${name} = ${value}`);
  try {
    return await work();
  } finally {
    sqlite.pragma(`${name} = ${before}`);
  }
}

/**
 * Runs `work` while what it deletes and clears is overwritten with zeros, not only marked as free. Other writes of this process,
 * such as staging, would be slower for nothing.
 */
export function overwriting<T>(ledger: Pick<Ledger, 'file'>, work: () => Promise<T>): Promise<T> {
  return withPragma(ledger, 'secure_delete', 'on', work);
}

/**
 * Runs `work` while SQLite doesn't check references: for deleting rows that nothing can refer to, where each check would read
 * whole tables.
 */
export function withoutReferences<T>(ledger: Pick<Ledger, 'file'>, work: () => Promise<T>): Promise<T> {
  return withPragma(ledger, 'foreign_keys', 'off', work, 'on');
}

/**
 * Writes a file that has no name yet as fast as the disk takes it: without a log, and without waiting for the disk. It is worth
 * nothing after an error or a crash; the caller removes it then, and syncs it otherwise.
 */
export function withoutLog({ file }: Pick<Ledger, 'file'>): void {
  if (file === null) return;
  file.sqlite.pragma('journal_mode = delete');
  file.sqlite.pragma('journal_mode = memory');
  file.sqlite.pragma('synchronous = off');
}

/** Rewrites the whole file, so that it holds nothing erased. */
export async function rewriteFile(ledger: Ledger): Promise<void> {
  if (ledger.file === null) return;
  // In memory the whole of it would be built up.
  await withPragma(ledger, 'temp_store', 'file', () =>
    overwriting(ledger, async () => sql`vacuum`.execute(ledger.db)),
  );
}

/** Writes the file's log into it and empties the log, which keeps its length while another process reads the ledger. */
export async function emptyLog({ db, file }: Ledger): Promise<void> {
  if (file === null) return;
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/**
 * Copies the ledger into a file. `vacuum into` reads in one transaction: it makes no writer wait, and no writer makes it begin
 * again, as every commit does to SQLite's online backup. It also leaves out the free pages, which may still hold erased text.
 */
export async function copyFile(ledger: Ledger, path: string): Promise<void> {
  // It writes to no table, but SQLite treats it as a write.
  await withPragma(ledger, 'query_only', 'off', async () => sql`vacuum into ${path}`.execute(ledger.db));
}
