import { appendFileSync } from 'node:fs';
import BetterSqlite3, { type Database, type Statement } from 'better-sqlite3';

/**
 * To be loaded before the program (`node --import`): counts the statements it carries out, transactions' own included,
 * and makes the n-th go wrong. `SQL_FAULT=kill:<n>` ends the process before it as `kill -9` does, `stop:<n>,…` stops it
 * before each of these until it gets SIGCONT; with the code of an SQLite error in their place it throws that: once, or for
 * SQLITE_FULL from there on whatever would write.
 * `SQL_MAX_PAGES=<n>` makes the ledger's disk that small. `SQL_TRACE=<file>` writes down which statement went wrong, and at
 * the end how many there were, each as a line of JSON (`SqlTrace`).
 */
const { SQL_FAULT = '', SQL_MAX_PAGES, SQL_TRACE } = process.env;

const [fault = '', positions = '0'] = SQL_FAULT.split(':');
const [at = 0, ...further] = positions.split(',').map(Number);

let carriedOut = 0;

// So that the stack of a statement reaches the function that called kysely.
Error.stackTraceLimit = 30;

/** A line of `SQL_TRACE`. */
export type SqlTrace =
  | { readonly carriedOut: number }
  /** A statement that went wrong, with its number. `isProbe`: it was to find out whether the ledger can be written. */
  | { readonly at: number; readonly source: string; readonly isProbe: boolean };

/** The real functions; the wrapper replaces them on the prototypes. */
type Carry = (this: unknown, ...args: unknown[]) => unknown;

const blank = new BetterSqlite3(':memory:');
const statements = Object.getPrototypeOf(blank.prepare('select 1')) as Record<string, Carry>;
const databases = BetterSqlite3.prototype as unknown as Record<string, Carry>;
const isSized = new WeakSet<object>();

for (const name of ['run', 'get', 'all', 'iterate']) {
  wrap(statements, name, (statement) => {
    const { source, readonly } = statement as Statement;
    meet(source, !readonly || /^\s*(begin immediate|commit)/i.test(source));
  });
}
wrap(databases, 'exec', (_, [source]) => meet(String(source), true));
wrap(databases, 'pragma', (database) => {
  if (SQL_MAX_PAGES === undefined || isSized.has(database as object)) return;
  isSized.add(database as object);
  (database as Database).pragma(`max_page_count = ${SQL_MAX_PAGES}`);
});
process.on('exit', () => note({ carriedOut }));

function wrap(
  prototype: Record<string, Carry>,
  name: string,
  before: (self: unknown, args: readonly unknown[]) => void,
): void {
  const carry = prototype[name];
  if (carry === undefined) throw new Error(`better-sqlite3 has no ${name}`);
  prototype[name] = function wrapped(...args) {
    before(this, args);
    return carry.apply(this, args);
  };
}

function meet(source: string, writes: boolean): void {
  carriedOut += 1;
  const isDue =
    carriedOut === at ||
    further.includes(carriedOut) ||
    (fault === 'SQLITE_FULL' && carriedOut > at && writes);
  if (!fault || at === 0 || !isDue || /^\s*rollback/i.test(source)) return;
  note({ at: carriedOut, source, isProbe: new Error().stack?.includes('canWrite') ?? false });
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL');
  if (fault === 'stop') return void process.kill(process.pid, 'SIGSTOP');
  throw new BetterSqlite3.SqliteError(WORDS[fault] ?? fault, fault);
}

function note(line: SqlTrace): void {
  if (SQL_TRACE !== undefined) appendFileSync(SQL_TRACE, `${JSON.stringify(line)}\n`);
}

/** As SQLite words them. */
const WORDS: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'database or disk is full',
  SQLITE_IOERR: 'disk I/O error',
  SQLITE_BUSY: 'database is locked',
};
