import type { Database, Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import type { Tables } from './schema.js';

/**
 * Runs Kysely's queries on one connection. Each text is prepared once. Asynchronous flows of this process take turns: a query
 * waits until the transaction of another flow has ended, so that it never runs inside it.
 * @param statements the prepared statements by their text; shared with callers that run statements without Kysely.
 * @param turns the turnstile of the connection; shared by all users of the same database file through one connection.
 */
export function executorOn(
  sqlite: Database,
  statements: Map<string, Statement>,
  turns = turnstile(),
): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => sqliteDriver(sqlite, statements, turns),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** The prepared statement for this text, made once for a connection. */
export function preparedOn(sqlite: Database, statements: Map<string, Statement>, text: string): Statement {
  const known = statements.get(text);
  if (known) return known;
  const statement = sqlite.prepare(text);
  statements.set(text, statement);
  return statement;
}

function sqliteDriver(
  sqlite: Database,
  statements: Map<string, Statement>,
  turns: ReturnType<typeof turnstile>,
): Driver {
  const run = (text: string) => preparedOn(sqlite, statements, text).run();
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const statement = preparedOn(sqlite, statements, sql);
      if (statement.reader) return { rows: statement.all(...parameters) as R[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
    },
    streamQuery() {
      throw new Error('rows are streamed within a transaction, by `each`');
    },
  };
  return {
    async init() {},
    async acquireConnection() {
      await turns.take();
      return connection;
    },
    /** A deferred transaction that reads first and writes then fails at once when another process has written in between. */
    async beginTransaction(_, { accessMode }: TransactionSettings) {
      run(accessMode === 'read only' ? 'begin deferred' : 'begin immediate');
    },
    async commitTransaction() {
      run('commit');
    },
    async rollbackTransaction() {
      // SQLite itself has ended the transaction after some errors, such as a full disk.
      if (sqlite.inTransaction) run('rollback');
    },
    async releaseConnection() {
      turns.give();
    },
    async destroy() {},
  };
}

/** Lets callers through one after the other, in the order in which they came. */
export interface Turnstile {
  /** Resolves at the caller's turn, which lasts until `give`. */
  take(): Promise<void>;
  give(): void;
}

/** A turnstile that is free. */
export function turnstile(): Turnstile {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    take() {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve));
      isTaken = true;
      return FREE;
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}

const FREE = Promise.resolve();
