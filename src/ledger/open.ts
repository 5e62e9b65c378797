import { randomBytes } from 'node:crypto';
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'better-sqlite3';
import { type Clock, isoFromMs } from '../domain/clock.js';
import { OperatorError } from '../domain/operator-error.js';
import { DENIED_HINT, deniedText, isDenied, isReadOnlyDisk } from '../domain/who-may.js';
import { openDatabase, requireDriver } from './driver.js';
import { migrate, requireMigrated } from './migrate.js';
import type { Ledger } from './query.js';

/** Marks the file as a Registrar ledger in its SQLite header ("Rgst"). */
export const APPLICATION_ID = 0x52677374;

/** Marks one that a restore has put aside ("Rgsx"), so that a process that had it open can't go on with it. */
export const SET_ASIDE_ID = 0x52677378;

/** How long a statement waits for another process's transaction; commits end within a second. */
const BUSY_TIMEOUT_MS = 30_000;

/**
 * Opens the ledger, making it (mode 0600) where there is none and bringing an older one up to date. Refuses a
 * damaged file, one that is no ledger, and one that a newer Registrar wrote.
 */
export function openLedger(path: string, clock: Clock): Ledger {
  const isNew = !existsSync(path);
  // SQLite gives its -wal and -shm files the mode of the database, so this one mode protects all three.
  return guarded(path, () => {
    if (isNew && path !== ':memory:') {
      // First: an empty file that nothing can be written to is no ledger.
      requireDriver();
      closeSync(openSync(path, 'a', 0o600));
    }
    const sqlite = connect(path);
    if (sqlite.pragma('schema_version', { simple: true }) === 0) {
      sqlite.pragma('page_size = 16384');
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
    } else {
      requireOurs(sqlite, path);
    }
    tune(sqlite);
    migrate(sqlite, path, clock.nowMs());
    sqlite
      .prepare('insert into ledger (ledger_id, salt, created_at) values (1, ?, ?) on conflict do nothing')
      .run(randomBytes(32).toString('hex'), isoFromMs(clock.nowMs()));
    return ledgerOn(sqlite, path, clock);
  });
}

/** Opens an existing ledger without the right to change it; null when there is none. */
export function openLedgerToRead(path: string, clock: Clock): Ledger | null {
  if (!existsSync(path)) return null;
  return guarded(path, () => {
    const sqlite = connect(path);
    // A connection opened read-only would leave its -wal and -shm files behind.
    sqlite.pragma('query_only = on');
    requireOurs(sqlite, path);
    requireMigrated(sqlite, path);
    return ledgerOn(sqlite, path, clock);
  });
}

/** Closes the connection; the ledger must not be used any more. */
export function closeLedger(ledger: Ledger): void {
  ledger.sqlite.close();
}

function connect(path: string): Database {
  refuseTruncated(path);
  return openDatabase(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: path !== ':memory:' });
}

function tune(sqlite: Database): void {
  sqlite.pragma('journal_mode = wal');
  // FULL: a transaction that was reported as done survives a power cut.
  sqlite.pragma('synchronous = full');
  sqlite.pragma('foreign_keys = on');
  // 20 MB: staging goes through the index of keys in order, so that 32 MB gained nothing at a million rows.
  sqlite.pragma('cache_size = -20480');
  sqlite.pragma('temp_store = memory');
  // 96 MB of log between checkpoints: staging writes its random index pages fewer times than with SQLite's 4 MB, and the
  // commit that a checkpoint follows still ends well within a second.
  sqlite.pragma('wal_autocheckpoint = 6144');
}

function ledgerOn(sqlite: Database, path: string, clock: Clock): Ledger {
  const { salt } = sqlite.prepare('select salt from ledger').get() as { salt: string };
  return { sqlite, clock, salt, path, statements: new Map() };
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
  throw new OperatorError({
    operation: 'open the ledger',
    subject: path,
    message: `${path} is an SQLite database, but not one of Registrar's`,
    hint: 'Move it away; Registrar makes its own.',
  });
}

/** A file shorter than its header says was cut off; SQLite would notice only at the page that is missing. */
function refuseTruncated(path: string): void {
  if (!existsSync(path) || existsSync(`${path}-wal`)) return;
  const header = Buffer.alloc(100);
  const file = openSync(path, 'r');
  const read = readSync(file, header, 0, 100, 0);
  closeSync(file);
  if (read < 100) return;
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  if (statSync(path).size < pageSize * header.readUInt32BE(28)) throw damaged(path);
}

function guarded(path: string, open: () => Ledger): Ledger {
  try {
    return open();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === 'SQLITE_NOTADB' || (typeof code === 'string' && code.startsWith('SQLITE_CORRUPT'))) {
      throw damaged(path, error);
    }
    if (isDenied(error) || /^(EROFS|SQLITE_(READONLY|CANTOPEN|PERM))/.test(String(code))) {
      throw closed(path, error);
    }
    throw error;
  }
}

/** SQLite also needs to write beside the file, and says of none of both why it can't. */
function closed(path: string, cause: unknown): OperatorError {
  const about = { operation: 'open the ledger', subject: path, exit: 'io' as const, cause };
  const place = [path, dirname(path)].find((one) => !mayWrite(one)) ?? path;
  if (isReadOnlyDisk(place)) {
    return new OperatorError({
      ...about,
      message: `${place} can't be written: its file system is mounted for reading alone`,
      hint: 'Mount it for writing: the ledger is written whenever it is looked at.',
    });
  }
  return new OperatorError({
    ...about,
    message: `the ledger ${path} can't be opened for reading and writing: ${deniedText(place)}`,
    hint: DENIED_HINT,
  });
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function damaged(path: string, cause?: unknown): OperatorError {
  return new OperatorError({
    operation: 'open the ledger',
    subject: path,
    message: `${path} is damaged`,
    hint: 'Restore it from a backup. Until then nothing is read or sent, so nothing can be sent twice.',
    exit: 'io',
    cause,
  });
}
