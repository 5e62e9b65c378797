import { sql } from 'kysely';
import { fileOf, type Ledger } from '../query.js';

/**
 * Runs `work` while what it deletes and clears is overwritten with zeros, not only marked as free. Other writes of this process,
 * such as staging, would be slower for nothing.
 */
export async function overwriting<T>({ file }: Pick<Ledger, 'file'>, work: () => Promise<T>): Promise<T> {
  if (file === null) return work();
  const { sqlite } = file;
  const before = sqlite.pragma('secure_delete', { simple: true }) as number;
  sqlite.pragma('secure_delete = on');
  try {
    return await work();
  } finally {
    sqlite.pragma(`secure_delete = ${before}`);
  }
}

/**
 * Runs `work` while SQLite doesn't check references: for deleting rows that nothing can refer to, where each check would read
 * whole tables.
 */
export async function withoutReferences<T>(
  { file }: Pick<Ledger, 'file'>,
  work: () => Promise<T>,
): Promise<T> {
  if (file === null) return work();
  const { sqlite } = file;
  sqlite.pragma('foreign_keys = off');
  try {
    return await work();
  } finally {
    sqlite.pragma('foreign_keys = on');
  }
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
  const { sqlite } = ledger.file;
  // Else the whole of it would be built up in memory.
  sqlite.pragma('temp_store = file');
  try {
    await overwriting(ledger, async () => sql`vacuum`.execute(ledger.db));
  } finally {
    sqlite.pragma('temp_store = memory');
  }
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
  const { db } = ledger;
  const { sqlite } = fileOf(ledger);
  const isReadOnly = sqlite.pragma('query_only', { simple: true });
  // It writes to no table, but SQLite treats it as a write.
  sqlite.pragma('query_only = off');
  try {
    await sql`vacuum into ${path}`.execute(db);
  } finally {
    sqlite.pragma(`query_only = ${isReadOnly}`);
  }
}
