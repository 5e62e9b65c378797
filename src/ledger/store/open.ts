import { randomBytes } from 'node:crypto';
import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { type Clock, isoFromMs } from '../../domain/clock.js';
import type { OperatorError } from '../../domain/operator-error.js';
import { ioHint, isLocked, withPath } from '../../domain/process/io-hints.js';
import { DENIED_HINT, deniedText, isDenied, isReadOnlyDisk } from '../../domain/process/who-may.js';
import { unopened } from './migrations.js';
import { type FileLedger, type Ledger, reading } from './query.js';
import { openDatabase, requireDriver } from './sqlite/driver.js';
import { executorOn } from './sqlite/executor.js';
import { migrate, requireMigrated } from './sqlite/migrate.js';

/** Marks the file as a Registrar ledger in its SQLite header ("Rgst"). */
export const APPLICATION_ID = 0x52677374;

/** Marks a ledger that a restore has replaced ("Rgsx"): no process may continue to use it. */
export const REPLACED_ID = 0x52677378;

/** How long a statement waits for another process's transaction; transactions end within a second. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Opens the ledger, creates it (mode 0600) where there is none, and migrates an older one. Throws OperatorError for a
 * damaged file, a file that isn't a ledger, and a ledger that a newer Registrar wrote.
 * @param mayMake called before a ledger is created; throws where one should exist.
 */
export function openLedger(path: string, clock: Clock, mayMake: () => void = () => {}): FileLedger {
  // SQLite gives its -wal and -shm files the mode of the database, so this one mode protects all three.
  return guarded(path, () => {
    const size = path === ':memory:' ? null : ledgerBytes(path);
    if (size === 0) mayMake();
    if (size === 0 && !existsSync(path)) {
      // Before the file is created: without the driver it would stay empty.
      requireDriver();
      closeSync(openSync(path, 'a', 0o600));
    }
    return connected(path, (sqlite) => {
      if (isEmpty(sqlite)) {
        if (size !== 0) mayMake();
        if (path !== ':memory:') chmodSync(path, 0o600);
        sqlite.pragma('page_size = 16384');
        sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      } else {
        requireOurs(sqlite, path);
      }
      tune(sqlite);
      migrate(sqlite, path, clock.nowMs());
      sqlite
        // Only before the first run: after it, a new salt would change the key of each record.
        .prepare(
          `insert into ledger (ledger_id, salt, created_at) select 1, ?, ? where not exists (select 1 from run)
           on conflict do nothing`,
        )
        .run(randomBytes(32).toString('hex'), isoFromMs(clock.nowMs()));
      return ledgerOn(sqlite, path, clock);
    });
  });
}

/** Opens an existing ledger for reading only; null: there is none, or it is empty. */
export function openLedgerToRead(path: string, clock: Clock): FileLedger | null {
  if (ledgerBytes(path) === 0) return null;
  return guarded(path, () =>
    connected(path, (sqlite) => {
      // A connection opened read-only would leave its -wal and -shm files behind.
      sqlite.pragma('query_only = on');
      if (isEmpty(sqlite)) {
        sqlite.close();
        return null;
      }
      requireOurs(sqlite, path);
      requireMigrated(sqlite, path);
      return ledgerOn(sqlite, path, clock);
    }),
  );
}

function isEmpty(sqlite: Database): boolean {
  return sqlite.pragma('schema_version', { simple: true }) === 0;
}

/**
 * The size of a ledger's file in bytes; 0: there is none. Called before SQLite opens the file, because SQLite deletes
 * the log of an empty file. Throws OperatorError where the path isn't a file.
 */
export function ledgerBytes(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return stats?.size ?? 0;
  throw faulty(
    path,
    `${path} is ${stats.isDirectory() ? 'a folder' : 'not a file'}, but should be the ledger`,
    MOVE_IT,
  );
}

/** False where the open file is no longer at its path: it was moved away, deleted or replaced. */
export function isInPlace({ file }: Ledger): boolean {
  if (file === null || file.inode === '') return true;
  const { path, inode } = file;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && inode === inodeOf(stats);
}

function inodeOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}

/** Runs `work` on one snapshot of the ledger, on a connection of its own, so that no other flow waits. */
export async function withSnapshot<T>(ledger: Ledger, work: (snapshot: Ledger) => Promise<T>): Promise<T> {
  const { file, clock } = ledger;
  const own = file === null || file.path === ':memory:' ? null : openLedgerToRead(file.path, clock);
  return own === null ? reading(ledger, work) : withLedger(own, () => reading(own, work));
}

/** Works on an open ledger of either kind, and closes it. */
export async function withLedger<L extends Ledger, T>(
  ledger: L,
  work: (ledger: L) => Promise<T>,
): Promise<T> {
  try {
    return await work(ledger);
  } finally {
    await disconnect(ledger);
  }
}

/** Closes the connection. Don't use the ledger afterwards. */
export function closeLedger({ file }: Pick<FileLedger, 'file'>): void {
  file.sqlite.close();
}

/** Closes the connections to a ledger of either kind. Don't use the ledger afterwards. */
export async function disconnect({ db, file }: Ledger): Promise<void> {
  if (file === null) await db.destroy();
  else closeLedger({ file });
}

function connected<Opened>(path: string, open: (sqlite: Database) => Opened): Opened {
  const sqlite = openDatabase(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: path !== ':memory:' });
  try {
    return open(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function tune(sqlite: Database): void {
  sqlite.pragma('journal_mode = wal');
  // FULL: a committed transaction survives a power cut.
  sqlite.pragma('synchronous = full');
  sqlite.pragma('foreign_keys = on');
  sqlite.pragma('temp_store = memory');
  fitToSize(sqlite);
}

/**
 * Sizes the cache and the log by the size of the ledger. A batch of rows changes nearly every page of the key index,
 * which is a sixth of the ledger. Pages outside the cache are read and written several times in one transaction, and
 * a log that is checkpointed after each transaction writes all of them each time.
 */
export function fitToSize(sqlite: Database): void {
  const pages = sqlite.pragma('page_count', { simple: true }) as number;
  const within = (least: number, share: number) =>
    Math.round(Math.min(MAX_PAGES, Math.max(least, pages * share)));
  // No larger than a small ledger, so that its log doesn't fill a small disk.
  const leastLog = Math.min(USUAL_LOG_PAGES, Math.max(MIN_LOG_PAGES, pages));
  sqlite.pragma(`cache_size = ${within(MIN_CACHE_PAGES, 0.15)}`);
  sqlite.pragma(`wal_autocheckpoint = ${within(leastLog, 0.25)}`);
}

/** 40 MB, enough for the index of a million keys; with 20 MB, staging took 3 µs more CPU time per row. */
const MIN_CACHE_PAGES = 2_560;
/** 16 MB, enough for the changes of about fifty requests. */
const MIN_LOG_PAGES = 1_024;
/** 96 MB. A checkpoint of them takes well below a second. */
const USUAL_LOG_PAGES = 6_144;
/** 256 MB at most: the cache must fit a small machine, and a checkpoint of the log must not take long there. */
const MAX_PAGES = 16_384;

function ledgerOn(sqlite: Database, path: string, clock: Clock): FileLedger {
  const { salt = '' } = (sqlite.prepare('select salt from ledger').get() ?? {}) as { salt?: string };
  if (!/^[0-9a-f]{64}$/.test(salt)) throw damaged(path);
  const inode = path === ':memory:' ? '' : inodeOf(statSync(path));
  const file = { path, inode, sqlite, statements: new Map() };
  const db = executorOn(file, clock);
  return { db, inTransaction: false, clock, local: clock, salt, beside: path, file };
}

function requireOurs(sqlite: Database, path: string): void {
  const id = sqlite.pragma('application_id', { simple: true });
  if (id === APPLICATION_ID) return;
  if (id === REPLACED_ID) {
    const hint =
      'Run again: the restored ledger is in its place. If this message appears again, the restore was interrupted: repeat it.';
    throw unopened(path, `${path} was replaced by a restore`, hint);
  }
  throw faulty(path, `${path} is an SQLite database, but not one of Registrar's`, MOVE_IT);
}

const MOVE_IT =
  'Move it away, and restore the ledger: move it back, or use registrar restore FILE --because TEXT.';

function faulty(path: string, message: string, hint: string, cause?: unknown): OperatorError {
  return unopened(path, message, hint, { exit: 'io', cause });
}

function guarded<Opened>(path: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    // A damaged schema is reported as an error of the statement that uses it.
    if (typeof code === 'string' && /^SQLITE_(NOTADB|CORRUPT|ERROR|CONSTRAINT)/.test(code)) {
      throw damaged(path, error, code === 'SQLITE_NOTADB' ? ', or was never a ledger' : '');
    }
    if (isDenied(error) || /^(EROFS|SQLITE_(READONLY|CANTOPEN|PERM))/.test(String(code))) {
      throw closed(path, error);
    }
    if (isLocked(error)) throw locked(path, error);
    throw withPath(error, path);
  }
}

function locked(path: string, cause: unknown): OperatorError {
  const message = `the ledger ${path} was locked for ${BUSY_TIMEOUT_MS / 1_000} s`;
  const hint = `${ioHint(cause)} It may be a database browser, or a running copy of the file. Find it: fuser ${path}.`;
  return faulty(path, message, hint, cause);
}

/** SQLite also writes to the file's folder, and doesn't say whether the file or the folder isn't writable. */
function closed(path: string, cause: unknown): OperatorError {
  const place = [path, dirname(path)].find((one) => !mayWrite(one)) ?? path;
  if (!isReadOnlyDisk(place)) {
    const message = `the ledger ${path} can't be opened for reading and writing: ${deniedText(place)}`;
    return faulty(path, message, DENIED_HINT, cause);
  }
  const message = `${place} can't be written: the file system is mounted read-only`;
  const hint = 'Mount it read-write: even reading the ledger needs write access.';
  // SQLite's own code doesn't distinguish this from a file without write permission.
  return faulty(path, message, hint, { code: 'EROFS', cause });
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param how continues the sentence. */
function damaged(path: string, cause?: unknown, how = ''): OperatorError {
  const hint =
    'Restore it from a backup: registrar restore FILE --because TEXT. Until then nothing is read or sent, so nothing can be sent twice.';
  return faulty(path, `${path} is damaged${how}`, hint, cause);
}
