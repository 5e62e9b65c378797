import { sql } from 'kysely';
import type { Ledger } from '../query.js';

/** Runs `work` with another value of a connection's setting. @param after its value then; default: the present one. */
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
 * Runs `work` with secure deletion: deleted and cleared content is overwritten with zeros, not only marked as free.
 * Other writes, such as staging, don't need it and would be slower.
 */
export function overwriting<T>(ledger: Pick<Ledger, 'file'>, work: () => Promise<T>): Promise<T> {
  return withPragma(ledger, 'secure_delete', 'on', work);
}

/** Runs `work` without checks of references, which would read whole tables: for deleting rows that none refers to. */
export function withoutReferences<T>(ledger: Pick<Ledger, 'file'>, work: () => Promise<T>): Promise<T> {
  return withPragma(ledger, 'foreign_keys', 'off', work, 'on');
}

/**
 * Makes writing a new file as fast as the disk allows: without a log, and without syncing. After an error or a crash
 * the file is unusable, and the caller removes it; otherwise the caller syncs it.
 */
export function withoutLog({ file }: Pick<Ledger, 'file'>): void {
  if (file === null) return;
  file.sqlite.pragma('journal_mode = delete');
  file.sqlite.pragma('journal_mode = memory');
  file.sqlite.pragma('synchronous = off');
}

/** Rewrites the whole file, so that no erased content remains in it. */
export async function rewriteFile(ledger: Ledger): Promise<void> {
  if (ledger.file === null) return;
  // With `temp_store = memory`, the whole copy would be built in memory.
  await withPragma(ledger, 'temp_store', 'file', () =>
    overwriting(ledger, async () => sql`vacuum`.execute(ledger.db)),
  );
}

/** Writes the log into the file and truncates it; the log isn't truncated while another process reads the ledger. */
export async function emptyLog({ db, file }: Ledger): Promise<void> {
  if (file === null) return;
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/**
 * Copies the ledger into a file. `vacuum into` reads in one transaction: it makes no writer wait, and doesn't restart when
 * another process writes, as SQLite's online backup does. It also leaves out free pages, which may contain erased text.
 */
export async function copyFile(ledger: Ledger, path: string): Promise<void> {
  // It writes to no table, but SQLite treats it as a write.
  await withPragma(ledger, 'query_only', 'off', async () => sql`vacuum into ${path}`.execute(ledger.db));
}
