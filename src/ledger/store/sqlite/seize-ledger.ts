import type { Database } from 'better-sqlite3';
import { errorsOf } from '../../../domain/operator-error.js';
import { APPLICATION_ID, REPLACED_ID } from '../open.js';
import { type Ledger, prepared } from '../query.js';
import { openDatabase } from './driver.js';

/** The exclusive connection to a ledger: no other process can open the ledger until it is closed. */
export type SeizedLedger = Database;

/** Long enough for a command that only reads to end; a run takes longer. */
const WAIT_MS = 3_000;

/**
 * Opens the ledger exclusively: no other process can open it until the connection is closed. Writes its log into it and removes
 * the log. Throws OperatorError while another process has it open. null: it is damaged or not a ledger, and can't be locked.
 */
export function seizeLedger(path: string): SeizedLedger | null {
  let sqlite: Database | null = null;
  try {
    sqlite = openDatabase(path, { timeout: WAIT_MS, fileMustExist: true });
    const id = sqlite.pragma('application_id', { simple: true });
    sqlite.pragma('locking_mode = exclusive');
    // To leave WAL mode, SQLite locks the file exclusively, and keeps the lock.
    sqlite.pragma('journal_mode = delete');
    // No journal file: it would belong to the file that has the name when the connection is closed.
    sqlite.pragma('journal_mode = memory');
    if (id === APPLICATION_ID || id === REPLACED_ID) {
      sqlite.prepare('select count(*) from ledger').get();
      return sqlite;
    }
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
      sqlite?.close();
      const hint = 'Stop registrar schedule, let runs end, then restore again. Nothing was changed.';
      const message = `another process has ${path} open`;
      throw errorsOf('restore the ledger')(path, message, hint, { cause: error });
    }
    if (!/^SQLITE_(CORRUPT|NOTADB|ERROR|IOERR)/.test(code)) throw error;
  }
  sqlite?.close();
  return null;
}

/** Marks a seized ledger as replaced: a process that waits to open it by its old name must not use it. */
export function markReplaced(ledger: SeizedLedger): void {
  ledger.pragma(`application_id = ${REPLACED_ID}`);
}

/** Makes a copy of a replaced ledger usable again; does nothing to any other ledger. */
export function reopenCopy(path: string): void {
  const sqlite = openDatabase(path, { fileMustExist: true });
  try {
    if (sqlite.pragma('application_id', { simple: true }) === REPLACED_ID) {
      sqlite.pragma(`application_id = ${APPLICATION_ID}`);
    }
  } catch (error) {
    // The next process that opens the file reports that it isn't a database.
    if ((error as { code?: unknown }).code !== 'SQLITE_NOTADB') throw error;
  } finally {
    sqlite.close();
  }
}

/** Replaces the ledger's tokens with those of another ledger with the same schema. */
export function replaceTokens(ledger: Ledger, other: Database): void {
  prepared(ledger, 'delete from api_token').run();
  for (const row of other.prepare('select * from api_token').all() as Record<string, unknown>[]) {
    const names = Object.keys(row);
    const text = `insert into api_token (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    prepared(ledger, text).run(...Object.values(row));
  }
}
