import { hash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type OperationNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawNode,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import type { Clock } from '../../../domain/clock.js';
import { LEDGER_LOCK, LOCK_LEDGER, postgresForm } from '../dialect.js';
import type { Lane } from '../query.js';
import type { Tables } from '../schema.js';
import { createSemaphore, type Semaphore } from '../semaphore.js';
import { databaseError, isUnavailable, retryWhileUnavailable } from '../unavailable.js';
import type { DatabaseClock } from './database-clock.js';

/**
 * Runs Kysely's queries on the connections of a pool. A write transaction locks the whole ledger, as in SQLite: the
 * next one begins after it has ended, on any machine, so that numbers are assigned in the order in which transactions
 * end. A transaction of a lane waits for these, and for others of its lane.
 * @param name of the database, as shown to people.
 * @param clock is adjusted at each write transaction; null: the ledger uses another clock.
 */
export function executorOn(pool: pg.Pool, name: string, local: Clock, clock: DatabaseClock | null) {
  const driverOf = poolDriver(pool, name, local, clock);
  return {
    db: executorBy(driverOf('whole'), local),
    inLane: (lane: Lane | null) => executorBy(driverOf(lane ?? 'later'), local),
  };
}

function executorBy(driver: Driver, local: Clock): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new LedgerCompiler(),
  };
  const singly = new SingleQueries(driver, new Kysely<Tables>({ dialect }), local);
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor: singly });
}

/**
 * Runs queries outside a transaction, and retries them while the database can't be reached. Each write is a separate
 * transaction, with the lock of all writers. Within a transaction, Kysely itself runs the queries.
 */
class SingleQueries extends DefaultQueryExecutor {
  readonly #db: Kysely<Tables>;
  readonly #local: Clock;

  constructor(driver: Driver, db: Kysely<Tables>, local: Clock) {
    super(new LedgerCompiler(), new PostgresAdapter(), new DefaultConnectionProvider(driver));
    this.#db = db;
    this.#local = local;
  }

  override async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isWrite = WRITES.has(query.query.kind);
    return retryWhileUnavailable(this.#local, () =>
      isWrite
        ? this.#db.transaction().execute((one) => one.executeQuery<R>(query as CompiledQuery<R>))
        : super.executeQuery<R>(query),
    );
  }
}

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/**
 * A pool of connections whose results have the same types as SQLite's: every number is a number, a condition is 1 or 0.
 * @param answerMs how long a statement may take.
 */
export function ledgerPool(url: string, connections: number, answerMs = ANSWER_MS): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser },
  });
  // A connection that breaks while it is idle is replaced when the next one is needed.
  pool.on('error', () => {});
  return pool;
}

/** How long to wait for the server, or for a free connection of the pool: any query ends sooner, unless it is stuck. */
const CONNECT_MS = 30_000;

/** The timeout of a statement, for an answer that the network has lost: no statement takes as long. */
const ANSWER_MS = 120_000;

/** The parsers of int8, numeric and bool, by type number in PostgreSQL's catalogue. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1700: Number,
  16: (text) => (text === 't' ? 1 : 0),
};

const getTypeParser = ((type: number, format?: 'text' | 'binary') =>
  (format !== 'binary' && PARSERS[type]) ||
  pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser;

/** Adds the type to bound numbers: without context, PostgreSQL treats a bound value as text. */
class LedgerCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(value);
    if (typeof value === 'number') this.append(Number.isInteger(value) ? '::bigint' : '::double precision');
  }

  protected override visitRaw(node: RawNode): void {
    const form: OperationNode | undefined = postgresForm(node);
    if (form === undefined) super.visitRaw(node);
    else this.visitNode(form);
  }
}

/** What a write transaction locks as it begins: the whole ledger, a lane, or nothing yet. */
type Lock = 'whole' | 'later' | Lane;

/** Begins a write transaction, takes its lock, and returns the database's time. Timeouts end a stuck transaction. */
function beginning(lock: Lock): string {
  const locks =
    lock === 'whole'
      ? LOCK_LEDGER
      : `select pg_advisory_xact_lock_shared(${LEDGER_LOCK}); select pg_advisory_xact_lock(${LEDGER_LOCK}, hashtext(${pg.escapeLiteral(lock)}))`;
  return `begin; set local idle_in_transaction_session_timeout = '30s'; set local lock_timeout = '60s';
    ${lock === 'later' ? '' : `${locks};`} select extract(epoch from clock_timestamp()) * 1000 as "nowMs"`;
}

/** Lane transactions of a process at once: other transactions and readers need connections too. */
const LANES_AT_ONCE = 6;

/** Returns drivers on one pool, by what their write transactions lock. */
function poolDriver(
  pool: pg.Pool,
  name: string,
  local: Clock,
  clock: DatabaseClock | null,
): (lock: Lock) => Driver {
  // Writers of this process wait for their turn here, without a connection. If they waited for the database's lock
  // instead, they would use up the pool, and other queries would find no connection.
  const whole = createSemaphore();
  const lanes = createSemaphore(LANES_AT_ONCE);
  const names = new Map<string, string>();
  const run = async (connection: DatabaseConnection, text: string) => {
    const { open, failed } = connection as PoolConnection;
    const results: unknown = await (await open()).query(text).catch(failed);
    return results as readonly pg.QueryResult[];
  };
  const rollback = async (connection: DatabaseConnection) => {
    // The server rolls back a broken connection.
    await run(connection, 'rollback').catch(() => {});
  };
  return (lock) => ({
    async init() {},
    async acquireConnection() {
      return connectionOf(pool, names, name);
    },
    async beginTransaction(connection, { accessMode }: TransactionSettings) {
      (connection as PoolConnection).isInTransaction = true;
      if (accessMode === 'read only') {
        await run(connection, 'begin isolation level repeatable read read only');
        return;
      }
      if (lock !== 'later') {
        const semaphore = lock === 'whole' ? whole : lanes;
        await semaphore.acquire();
        (connection as PoolConnection).semaphore = semaphore;
      }
      const sentMs = local.monotonicMs();
      const answers = await run(connection, beginning(lock)).catch(async (error: unknown) => {
        // The transaction may have begun, and would make the connection's next one fail.
        await rollback(connection);
        throw error;
      });
      const [now] = (answers.at(-1)?.rows ?? []) as readonly { readonly nowMs: number }[];
      if (now !== undefined) clock?.noticed(now.nowMs, sentMs, local.monotonicMs());
    },
    async commitTransaction(connection) {
      await run(connection, 'commit');
    },
    rollbackTransaction: rollback,
    async releaseConnection(connection) {
      const { close, semaphore } = connection as PoolConnection;
      close();
      semaphore?.release();
    },
    async destroy() {
      if (!pool.ending) await pool.end();
    },
  });
}

/**
 * The name of a prepared statement: each connection of a pool prepares a text once, because parsing and planning take
 * longer than the execution. undefined: there are too many texts to prepare more.
 * @param names those of the pool, by text.
 */
function nameOf(names: Map<string, string>, text: string): string | undefined {
  if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, hash('sha1', text));
  return names.get(text);
}

const MAX_PREPARED = 500;

type PoolConnection = ReturnType<typeof connectionOf>;

function connectionOf(pool: pg.Pool, names: Map<string, string>, name: string) {
  let client: pg.PoolClient | null = null;
  let broken: Error | null = null;
  let cursors = 0;
  const onError = (error: Error) => {
    broken = error;
  };
  const connection = {
    isInTransaction: false,
    /** The semaphore that it holds while it writes; null: none. */
    semaphore: null as Semaphore | null,
    /** Acquires a connection of the pool, unless it already has one. */
    async open(): Promise<pg.PoolClient> {
      if (client !== null) return client;
      client = await pool.connect().catch((error: unknown) => {
        throw databaseError(error, name);
      });
      client.on('error', onError);
      return client;
    },
    /** Releases the connection to the pool, which discards a broken one. */
    close() {
      client?.off('error', onError);
      client?.release(broken ?? undefined);
    },
    /** Throws what `databaseError` makes of a failed statement, and marks a broken connection. */
    failed(error: unknown): never {
      const explanation = databaseError(error, name);
      if (isUnavailable(explanation)) broken = error as Error;
      throw explanation;
    },
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const client = await connection.open();
      const { rows, rowCount } = await client
        .query({
          name: parameters.length > 0 ? nameOf(names, sql) : undefined,
          text: sql,
          values: [...parameters],
        })
        .catch(connection.failed);
      return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
    },
    async *streamQuery<R>({ sql, parameters }: CompiledQuery, size: number) {
      const client = await connection.open();
      const run = (text: string, values: readonly unknown[] = []) =>
        client.query(text, [...values]).catch(connection.failed);
      cursors += 1;
      const cursor = `rows_${cursors}`;
      const isAlone = !connection.isInTransaction;
      // A cursor needs a transaction, which also ends it.
      if (isAlone) await run('begin read only');
      try {
        // By default, a cursor is planned for its first rows alone.
        await run('set local cursor_tuple_fraction = 1');
        await run(`declare ${cursor} no scroll cursor for ${sql}`, parameters);
        for (;;) {
          const { rows } = await run(`fetch ${size} from ${cursor}`);
          if (rows.length === 0) return;
          yield { rows: rows as R[] };
        }
      } finally {
        // The server rolls back a broken connection.
        if (isAlone && broken === null) await run('rollback');
      }
    },
  };
  return connection;
}
