import { appendFileSync } from 'node:fs';
import BetterSqlite3, { type Database, type Statement } from 'better-sqlite3';

/**
 * To be loaded before the program (`node --import`): counts the statements it carries out, transactions' own included,
 * and makes the n-th go wrong. `SQL_FAULT=kill:<n>` ends the process before it as `kill -9` does; with the code of an
 * SQLite error in place of `kill` it throws that: once, or for SQLITE_FULL from there on whatever would write.
 * `SQL_MAX_PAGES=<n>` makes the ledger's disk that small. `SQL_TRACE=<file>` writes the count down at the end.
 */
const { SQL_FAULT = '', SQL_MAX_PAGES, SQL_TRACE } = process.env;

const [fault = '', at = '0'] = SQL_FAULT.split(':');

let carriedOut = 0;

/** What the real functions are; the wrapper takes their place on the prototypes. */
type Carry = (this: unknown, ...args: unknown[]) => unknown;

const blank = new BetterSqlite3(':memory:');
const statements = Object.getPrototypeOf(blank.prepare('select 1')) as Record<string, Carry>;
const databases = BetterSqlite3.prototype as unknown as Record<string, Carry>;
const isSized = new WeakSet<object>();

for (const name of ['run', 'get', 'all', 'iterate']) {
  wrap(statements, name, (statement) => {
    const { source, readonly } = statement as Statement;
    meet(!readonly || /^\s*(begin immediate|commit)/i.test(source), /^\s*rollback/i.test(source));
  });
}
wrap(databases, 'exec', () => meet(true, false));
wrap(databases, 'pragma', (database) => {
  if (SQL_MAX_PAGES === undefined || isSized.has(database as object)) return;
  isSized.add(database as object);
  (database as Database).pragma(`max_page_count = ${SQL_MAX_PAGES}`);
});
if (SQL_TRACE !== undefined) process.on('exit', () => appendFileSync(SQL_TRACE, `${carriedOut}\n`));

function wrap(prototype: Record<string, Carry>, name: string, before: (self: unknown) => void): void {
  const carry = prototype[name];
  if (carry === undefined) throw new Error(`better-sqlite3 has no ${name}`);
  prototype[name] = function wrapped(...args) {
    before(this);
    return carry.apply(this, args);
  };
}

function meet(writes: boolean, undoes: boolean): void {
  carriedOut += 1;
  const isDue = carriedOut === Number(at) || (fault === 'SQLITE_FULL' && carriedOut > Number(at) && writes);
  if (!fault || Number(at) === 0 || !isDue || undoes) return;
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL');
  throw new BetterSqlite3.SqliteError(WORDS[fault] ?? fault, fault);
}

/** As SQLite words them. */
const WORDS: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'database or disk is full',
  SQLITE_IOERR: 'disk I/O error',
  SQLITE_BUSY: 'database is locked',
};
