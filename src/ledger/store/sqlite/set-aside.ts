import type { Database } from 'better-sqlite3';
import { OperatorError } from '../../../domain/operator-error.js';
import { APPLICATION_ID, SET_ASIDE_ID } from '../open.js';
import { type Ledger, prepared } from '../query.js';
import { openDatabase } from './driver.js';

/** A ledger that no other process can open, by its connection, whose end lets others open it again. */
export type SeizedLedger = Database;

/** A command that only reads has ended by then; a run hasn't. */
const WAIT_MS = 3_000;

/**
 * Opens the ledger exclusively: until it is released no other process has it open or can open it. Its log is written into it and
 * removed. Throws OperatorError while another process has it open. null: it is damaged, or no ledger, and can't be locked.
 */
export function seizeLedger(path: string): SeizedLedger | null {
  let sqlite: Database | null = null;
  try {
    sqlite = openDatabase(path, { timeout: WAIT_MS, fileMustExist: true });
    const id = sqlite.pragma('application_id', { simple: true });
    sqlite.pragma('locking_mode = exclusive');
    // To leave the log's mode SQLite needs the file exclusively, and keeps it so.
    sqlite.pragma('journal_mode = delete');
    // No journal beside the file: it would belong to whatever file has the name when the connection is closed.
    sqlite.pragma('journal_mode = memory');
    if (id === APPLICATION_ID || id === SET_ASIDE_ID) {
      sqlite.prepare('select count(*) from ledger').get();
      return sqlite;
    }
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
      sqlite?.close();
      throw inUse(path, error);
    }
    if (!/^SQLITE_(CORRUPT|NOTADB|ERROR|IOERR)/.test(code)) throw error;
  }
  sqlite?.close();
  return null;
}

/** Marks a seized ledger as set aside: a process that waits to open it by its old name must not go on with it. */
export function markSetAside(ledger: SeizedLedger): void {
  ledger.pragma(`application_id = ${SET_ASIDE_ID}`);
}

/** Makes a copy of a set-aside ledger usable again; does nothing to any other ledger. */
export function reopenCopy(path: string): void {
  const sqlite = openDatabase(path, { fileMustExist: true });
  try {
    if (sqlite.pragma('application_id', { simple: true }) === SET_ASIDE_ID) {
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
    }
  } catch (error) {
    // The next process that opens a file that is no database reports it.
    if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error;
  } finally {
    sqlite.close();
  }
}

function inUse(path: string, cause: unknown): OperatorError {
  return new OperatorError({
    operation: 'restore the ledger',
    subject: path,
    message: `another process has ${path} open`,
    hint: 'Stop registrar schedule, let runs end, then restore again. Nothing was changed.',
    cause,
  });
}

/** Replaces the tokens by those of another ledger with the same schema. */
export function replaceTokens(ledger: Ledger, other: Database): void {
  prepared(ledger, 'delete from api_token').run();
  for (const row of other.prepare('select * from api_token').all() as Record<string, unknown>[]) {
    const names = Object.keys(row);
    const text = `insert into api_token (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    prepared(ledger, text).run(...Object.values(row));
  }
}
