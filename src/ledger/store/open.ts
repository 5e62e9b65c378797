import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { type Clock, isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { ioHint, isLocked, withPath } from '../../domain/process/io-hints.js';
import { DENIED_HINT, deniedText, isDenied, isReadOnlyDisk } from '../../domain/process/who-may.js';
import { countOf } from '../../domain/text/count-of.js';
import type { FileLedger, Ledger } from './query.js';
import { openDatabase, requireDriver } from './sqlite/driver.js';
import { executorOn } from './sqlite/executor.js';
import { migrate, requireMigrated } from './sqlite/migrate.js';

/** Marks the file as a Registrar ledger in its SQLite header ("Rgst"). */
export const APPLICATION_ID = 0x52677374;

/** Marks a ledger that a restore has set aside ("Rgsx"), so that a process that had it open can't go on with it. */
export const SET_ASIDE_ID = 0x52677378;

/** How long a statement waits for another process's transaction; commits end within a second. */
const BUSY_TIMEOUT_MS = 30_000;

/** Why there is no ledger at a path: no file, or a file without content. */
export type NoLedger = 'missing' | 'empty';

/**
 * Opens the ledger, creates it (mode 0600) where there is none, and migrates an older one. Refuses a damaged file, a file that is
 * no ledger, and a ledger that a newer Registrar wrote.
 * @param mayMake called before a ledger is created; throws where one should exist.
 */
export function openLedger(
  path: string,
  clock: Clock,
  mayMake: (found: NoLedger) => void = () => {},
): FileLedger {
  // SQLite gives its -wal and -shm files the mode of the database, so this one mode protects all three.
  return guarded(path, () => {
    const size = path === ':memory:' ? null : ledgerBytes(path);
    if (size === 0) mayMake(existsSync(path) ? 'empty' : 'missing');
    if (size === 0 && !existsSync(path)) {
      // Before the file is created: without the driver it would stay empty, which is no ledger.
      requireDriver();
      closeSync(openSync(path, 'a', 0o600));
    }
    return connected(path, (sqlite) => {
      if (isEmpty(sqlite)) {
        if (size !== 0) mayMake('empty');
        if (path !== ':memory:') chmodSync(path, 0o600);
        sqlite.pragma('page_size = 16384');
        sqlite.pragma(`application_id = ${APPLICATION_ID}`);
      } else {
        requireOurs(sqlite, path);
      }
      tune(sqlite);
      migrate(sqlite, path, clock.nowMs());
      sqlite
        // Only before the first run: afterwards another salt would change the key of each record.
        .prepare(
          `insert into ledger (ledger_id, salt, created_at) select 1, ?, ? where not exists (select 1 from run)
           on conflict do nothing`,
        )
        .run(randomBytes(32).toString('hex'), isoFromMs(clock.nowMs()));
      return ledgerOn(sqlite, path, clock);
    });
  });
}

/** Opens an existing ledger for reading alone; null when there is none, or nothing in it. */
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

/** True for a file without tables. */
function isEmpty(sqlite: Database): boolean {
  return sqlite.pragma('schema_version', { simple: true }) === 0;
}

/**
 * How long a ledger's file is; 0 where there is none. Asked before SQLite opens it, which throws away the log of an empty
 * file. Throws OperatorError where something else than a file has its name.
 */
export function ledgerBytes(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return found?.size ?? 0;
  throw unopened(
    path,
    `${path} is ${found.isDirectory() ? 'a folder' : 'no file'}, and should be the ledger`,
    MOVE_IT,
  );
}

/** False where the ledger's file is no longer the one that its name leads to: it was moved away, deleted or replaced. */
export function isInPlace({ file }: Ledger): boolean {
  if (file === null || file.inode === '') return true;
  const { path, inode } = file;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && inode === inodeOf(found);
}

function inodeOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}

/** Closes the connection; the ledger must not be used any more. */
export function closeLedger({ file }: Pick<FileLedger, 'file'>): void {
  file.sqlite.close();
}

/** Closes the connections to a ledger of either kind; it must not be used any more. */
export async function disconnect({ db, file }: Ledger): Promise<void> {
  if (file === null) await db.destroy();
  else closeLedger({ file });
}

/** What `open` makes of a connection to the file, which is closed where it fails. */
function connected<Opened>(path: string, open: (sqlite: Database) => Opened): Opened {
  refuseTruncated(path);
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
  // FULL: a transaction that was reported as done survives a power cut.
  sqlite.pragma('synchronous = full');
  sqlite.pragma('foreign_keys = on');
  sqlite.pragma('temp_store = memory');
  fitToSize(sqlite);
}

/**
 * Sizes the cache and the log by the size of the ledger. A batch of rows touches the whole index of keys, a sixth of the ledger,
 * and changes nearly each of its pages. Pages outside the cache are read and written several times in one transaction, and a log
 * that is checkpointed after each transaction writes all of them each time.
 */
export function fitToSize(sqlite: Database): void {
  const pages = sqlite.pragma('page_count', { simple: true }) as number;
  const within = (least: number, share: number) =>
    Math.round(Math.min(MAX_PAGES, Math.max(least, pages * share)));
  // As large as a small ledger, so that a small disk isn't filled by a log of a hundred times what it holds.
  const leastLog = Math.min(USUAL_LOG_PAGES, Math.max(MIN_LOG_PAGES, pages));
  sqlite.pragma(`cache_size = ${within(MIN_CACHE_PAGES, 0.15)}`);
  sqlite.pragma(`wal_autocheckpoint = ${within(leastLog, 0.25)}`);
}

/** 40 MB, which hold the index of a million keys: with 20 MB staging them took 3 µs more of CPU a row. */
const MIN_CACHE_PAGES = 2_560;
/** 16 MB, which hold what some fifty requests change. */
const MIN_LOG_PAGES = 1_024;
/** 96 MB. A checkpoint of them ends well within a second. */
const USUAL_LOG_PAGES = 6_144;
/** 256 MB, whatever the ledger has: a small machine must have room for the cache, and wait for a checkpoint of the log. */
const MAX_PAGES = 16_384;

function ledgerOn(sqlite: Database, path: string, clock: Clock): FileLedger {
  const { salt = '' } = (sqlite.prepare('select salt from ledger').get() ?? {}) as { salt?: string };
  if (!/^[0-9a-f]{64}$/.test(salt)) throw damaged(path);
  const inode = path === ':memory:' ? '' : inodeOf(statSync(path));
  const statements = new Map<string, Statement>();
  const db = executorOn(sqlite, statements, clock);
  const file = { path, inode, sqlite, statements };
  return { db, inTransaction: false, clock, local: clock, salt, beside: path, file };
}

function requireOurs(sqlite: Database, path: string): void {
  const id = sqlite.pragma('application_id', { simple: true });
  if (id === APPLICATION_ID) return;
  if (id === SET_ASIDE_ID) {
    throw new OperatorError({
      operation: 'open the ledger',
      subject: path,
      message: `${path} was set aside by a restore`,
      hint: 'Run again: the restored ledger has its place. If this comes again, the restore was interrupted: repeat it.',
    });
  }
  throw unopened(path, `${path} is an SQLite database, but not one of Registrar's`, MOVE_IT);
}

const MOVE_IT =
  'Move it away, and put the ledger back: from where it was moved, or by registrar restore FILE --because TEXT.';

/** @param cause left out: it was no error. */
function unopened(path: string, message: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError({ operation: 'open the ledger', subject: path, message, hint, exit: 'io', cause });
}

/** A file shorter than its header says was cut off; SQLite would notice only at the page that is missing. */
function refuseTruncated(path: string): void {
  if (!existsSync(path) || existsSync(`${path}-wal`)) return;
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  const read = readSync(file, header, 0, 100, 0);
  closeSync(file);
  // SQLite itself reports a file that is no database at all.
  if (read < 100 || header.toString('latin1', 0, 15) !== 'SQLite format 3') return;
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  if (statSync(path).size < pageSize * header.readUInt32BE(28)) throw damaged(path);
}

function guarded<Opened>(path: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    // A gap in the schema is an error of the statement that uses it.
    if (typeof code === 'string' && /^SQLITE_(NOTADB|CORRUPT|ERROR|CONSTRAINT)/.test(code)) {
      throw damaged(path, error, code === 'SQLITE_NOTADB' ? noDatabase(path) : '');
    }
    if (isDenied(error) || /^(EROFS|SQLITE_(READONLY|CANTOPEN|PERM))/.test(String(code))) {
      throw closed(path, error);
    }
    if (isLocked(error)) throw locked(path, error);
    throw withPath(error, path);
  }
}

function locked(path: string, cause: unknown): OperatorError {
  const message = `the ledger ${path} gave no lock for ${BUSY_TIMEOUT_MS / 1_000} s`;
  const hint = `${ioHint(cause)} It may be a database browser, or a copy of the file under way: fuser ${path} names it.`;
  return unopened(path, message, hint, cause);
}

/** SQLite also needs to write beside the file, and gives no reason why it can't write either. */
function closed(path: string, cause: unknown): OperatorError {
  const place = [path, dirname(path)].find((one) => !mayWrite(one)) ?? path;
  if (isReadOnlyDisk(place)) {
    const message = `${place} can't be written: the file system is mounted read-only`;
    // SQLite's own code is that of a file without the right to write.
    return unopened(path, message, 'Mount it read-write: even reading the ledger needs write access.', {
      code: 'EROFS',
      cause,
    });
  }
  const message = `the ledger ${path} can't be opened for reading and writing: ${deniedText(place)}`;
  return unopened(path, message, DENIED_HINT, cause);
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function noDatabase(path: string): string {
  return `, or was never a ledger: its ${countOf(statSync(path).size, 'byte')} are no SQLite database`;
}

/** @param how continues the sentence. */
function damaged(path: string, cause?: unknown, how = ''): OperatorError {
  const hint =
    'Restore it from a backup: registrar restore FILE --because TEXT. Until then nothing is read or sent, so nothing can be sent twice.';
  return unopened(path, `${path} is damaged${how}`, hint, cause);
}
