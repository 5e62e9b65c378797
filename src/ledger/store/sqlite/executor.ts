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
import type { Clock } from '../../../domain/clock.js';
import { isLocked, withPath } from '../../../domain/process/io-hints.js';
import type { Tables } from '../schema.js';
import { createSemaphore, type Semaphore } from '../semaphore.js';

/** A connection to an SQLite file. */
export interface Connection {
  readonly sqlite: Database;
  /** The prepared statements, by their text. */
  readonly statements: Map<string, Statement>;
}

/**
 * Runs Kysely's queries on one connection. Each text is prepared once. Asynchronous flows of this process take turns:
 * a query waits until the transaction of another flow has ended, so that it never runs inside it.
 * @param semaphore admits one transaction at a time; shared by all users of the connection.
 */
export function executorOn(
  connection: Connection,
  clock: Clock,
  semaphore = createSemaphore(),
): Kysely<Tables> {
  return kyselyWith(() => sqliteDriver(connection, clock, semaphore));
}

export function kyselyWith(createDriver: () => Driver): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** The prepared statement for a text, prepared once per connection. */
export function preparedOn({ sqlite, statements }: Connection, text: string): Statement {
  const cached = statements.get(text);
  if (cached) return cached;
  const statement = sqlite.prepare(text);
  statements.set(text, statement);
  return statement;
}

export function executedOn<R>(
  connection: Connection,
  text: string,
  parameters: readonly unknown[] = [],
): QueryResult<R> {
  try {
    const statement = preparedOn(connection, text);
    if (statement.reader) return { rows: statement.all(...parameters) as R[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
  } catch (error) {
    // With the path, the message shows which disk is full.
    throw withPath(error, connection.sqlite.name);
  }
}

function sqliteDriver(file: Connection, clock: Clock, semaphore: Semaphore): Driver {
  const { sqlite } = file;
  let waitMs = 0;
  const run = (text: string) => void executedOn(file, text);
  const wait = (ms: number) => run(`pragma busy_timeout = ${ms}`);
  const rollback = () => {
    // SQLite itself has ended the transaction after some errors, such as a full disk.
    if (sqlite.inTransaction) run('rollback');
  };
  /**
   * Begins a write transaction once no other process is in one. SQLite itself would block the thread while it waits,
   * and would try only every 100 ms, so that a process with many writes would have to release the lock for that long.
   */
  const beginWhenFree = async () => {
    const lastMs = clock.monotonicMs() + waitMs;
    for (;;) {
      try {
        wait(0);
        run('begin immediate');
        wait(waitMs);
        return;
      } catch (error) {
        // The failed statement may have begun a transaction, which no caller would end.
        rollback();
        wait(waitMs);
        if (!isLocked(error) || clock.monotonicMs() >= lastMs) throw error;
      }
      await clock.sleep(RETRY_MS);
    }
  };
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      return executedOn<R>(file, sql, parameters);
    },
    streamQuery() {
      throw new Error('rows are streamed within a transaction, by `each`');
    },
  };
  return {
    async init() {
      waitMs = sqlite.pragma('busy_timeout', { simple: true }) as number;
    },
    async acquireConnection() {
      await semaphore.acquire();
      return connection;
    },
    // IMMEDIATE: a deferred transaction that reads and then writes fails at once if another process has written in
    // between.
    async beginTransaction(_, { accessMode }: TransactionSettings) {
      if (accessMode === 'read only') run('begin deferred');
      else await beginWhenFree();
    },
    async commitTransaction() {
      run('commit');
    },
    async rollbackTransaction() {
      rollback();
    },
    async releaseConnection() {
      semaphore.release();
    },
    async destroy() {},
  };
}

/** How often a process tries to take the write lock while another has it. */
const RETRY_MS = 10;
