import type { Database, Statement } from 'better-sqlite3';
import {
  type AccessMode,
  type Compilable,
  type CompiledQuery,
  createQueryId,
  DummyDriver,
  type Kysely,
  type OperationNodeSource,
  type QueryResult,
  type RawBuilder,
  type RootOperationNode,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
import type { Clock } from '../../domain/clock.js';
import { LOCK_LEDGER } from './dialect.js';
import type { Tables } from './schema.js';
import { openDatabase } from './sqlite/driver.js';
import { type Connection, executedOn, kyselyWith, preparedOn } from './sqlite/executor.js';
import { retryWhileUnavailable } from './unavailable.js';

/** An open ledger, or one transaction on it. */
export interface Ledger {
  /** Runs queries; outside a transaction, each is its own transaction. */
  readonly db: Kysely<Tables>;
  /** True within `writing` or `reading`. */
  readonly inTransaction: boolean;
  /** The clock that all processes of the ledger share: the machine's for a file, the database's own otherwise. */
  readonly clock: Clock;
  /** The clock of this process, for its own deadlines, such as a fence. */
  readonly local: Clock;
  /** The salt of the ledger's hashes, 64 hex digits. Never shown. */
  readonly salt: string;
  /** The path prefix of this process's temporary files beside the ledger. */
  readonly beside: string;
  /** null: the ledger is a database. */
  readonly file: LedgerFile | null;
  /**
   * Runs transactions in a lane, or with null without a lock until `LOCK_LEDGER`; absent for a file, which has one
   * writer at a time.
   */
  readonly inLane?: (lane: Lane | null) => Kysely<Tables>;
}

/**
 * The part of the ledger that a write transaction is limited to: the permits of one client id, or the rows that only
 * the holder of a lease changes, such as those of an environment during its push. In a database, transactions of
 * different lanes run in parallel; all others lock the whole ledger.
 */
export type Lane = 'stage' | `${'push' | 'job' | 'fetch' | 'result' | 'run' | 'client'}:${string}`;

export interface FileLedger extends Ledger {
  readonly file: LedgerFile;
}

/** The ledger's file, for callers that know that the ledger is in a file; throws otherwise. */
export function fileOf({ file }: Pick<Ledger, 'file'>): LedgerFile {
  if (file === null) throw new Error('the ledger is a database, not a file');
  return file;
}

export interface LedgerFile extends Connection {
  /** ':memory:' for a ledger in memory. */
  readonly path: string;
  /** Device and inode of the file that was opened; '' for a ledger in memory. */
  readonly inode: string;
}

/**
 * Builds parts of queries, and queries for `all`, `first` and `change`. A query that is run where it is written is
 * built by the ledger's own `db`. Write a state that is the condition of a partial index as a literal (`sql.lit`):
 * SQLite uses the index only where the query has the same condition.
 */
export const query = kyselyWith(() => new DummyDriver());

/** A query without a ledger: built by `query`, or written as SQL. */
type Built<T> = (Compilable<T> | RawBuilder<T> | KeptQuery<T>) & OperationNodeSource;

function compiled<T>({ db, file }: Ledger, built: Built<T>): CompiledQuery<T> {
  return file !== null && 'kept' in built ? built.kept() : compiledBy(db, built);
}

function compiledBy<T>(db: Kysely<Tables>, built: OperationNodeSource): CompiledQuery<T> {
  return db.getExecutor().compileQuery<T>(built.toOperationNode() as RootOperationNode, createQueryId());
}

interface KeptQuery<T> extends OperationNodeSource {
  /** Its form for a file. */
  kept(): CompiledQuery<T>;
}

/**
 * A query that is compiled once and bound to other values each time: for queries of each small file, which take longer
 * to build than to run. A database needs the types of the values, and gets the query built each time.
 * @param build gets placeholders: the text depends on the names of the values, and on the variant, alone.
 */
export function preparedQuery<Values extends object, T, Variant extends string>(
  build: (values: Values, variant: Variant) => Built<T>,
) {
  const texts: { variant: Variant; names: readonly string[]; compiled: CompiledQuery<T> }[] = [];
  const add = (names: readonly string[], variant: Variant) => {
    const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Values;
    const text = { variant, names, compiled: compiledBy<T>(query, build(placeholders, variant)) };
    texts.push(text);
    return text;
  };
  return (values: Values, variant = '' as Variant): KeptQuery<T> => ({
    toOperationNode: () => build(values, variant).toOperationNode(),
    kept() {
      const names = Object.keys(values);
      const isSame = (one: (typeof texts)[number]) =>
        one.variant === variant &&
        names.length === one.names.length &&
        names.every((name, at) => name === one.names[at]);
      const { compiled } = texts.find(isSame) ?? add(names, variant);
      const bound = compiled.parameters.map((one) =>
        one instanceof Placeholder ? values[one.name as keyof Values] : one,
      );
      return { ...compiled, parameters: bound };
    },
  });
}

class Placeholder {
  constructor(readonly name: string) {}
}

export async function all<T>(ledger: Ledger, built: Built<T>): Promise<T[]> {
  return (await execute(ledger, built)).rows;
}

/** The first row of a query's result; undefined: there is none. */
export async function first<T>(ledger: Ledger, built: Built<T>): Promise<T | undefined> {
  return (await execute(ledger, built)).rows[0];
}

async function execute<T>(ledger: Ledger, built: Built<T>): Promise<QueryResult<T>> {
  const { db, file, inTransaction } = ledger;
  const query = compiled(ledger, built);
  if (file === null || (!inTransaction && file.sqlite.inTransaction)) return db.executeQuery(query);
  // No transaction of another flow is to be waited for: Kysely's own way takes longer than most queries of a small file.
  return executedOn(file, query.sql, query.parameters);
}

/**
 * Streams the rows of a query's result, for results that don't fit in memory. Within a transaction it reads in the
 * transaction, and nothing may be written meanwhile; otherwise it reads the present state on a separate connection,
 * which makes no other flow wait.
 */
export async function* each<T>(ledger: Ledger, built: Built<T>): AsyncGenerator<T> {
  const query = compiled(ledger, built);
  const { sql: text, parameters } = query;
  const { file } = ledger;
  if (file === null) {
    for await (const { rows } of ledger.db.getExecutor().stream<T>(query, STREAMED_ROWS)) yield* rows;
    return;
  }
  const oneByOne = (sqlite: Database) => sqlite.prepare(text).iterate(...parameters) as IterableIterator<T>;
  if (ledger.inTransaction) {
    yield* oneByOne(file.sqlite);
  } else if (file.path === ':memory:') {
    yield* await all(ledger, built);
  } else {
    const reader = openDatabase(file.path, { fileMustExist: true });
    try {
      // A connection opened read-only would leave its -wal and -shm files behind.
      reader.pragma('query_only = on');
      yield* oneByOne(reader);
    } finally {
      reader.close();
    }
  }
}

const STREAMED_ROWS = 500;

/** Counts the rows of a query. @param rows without a selected column. */
export async function count<All, Table extends keyof All>(
  ledger: Ledger,
  rows: SelectQueryBuilder<All, Table, object>,
): Promise<number> {
  const [counted] = await all(ledger, rows.select(sql<number>`count(*)`.as('count')));
  return (counted as { readonly count: number } | undefined)?.count ?? 0;
}

/** The only row of a result, such as the `returning` columns of an insert. */
export async function inserted<T>(ledger: Ledger, built: Built<T>): Promise<T> {
  const row = await first(ledger, built);
  if (row === undefined) throw new Error('the query returns nothing');
  return row;
}

/** Runs an insert, update or delete. @returns the number of changed rows. */
export async function change(ledger: Ledger, built: Built<unknown>): Promise<number> {
  return writing(ledger, async (ledger) => Number((await execute(ledger, built)).numAffectedRows ?? 0));
}

/**
 * Runs `work` in one write transaction, begun IMMEDIATE; where the ledger is already a transaction, within it.
 * @param work gets the transaction and must use only that: a query on the ledger itself would wait for the end of `work`.
 */
export function writing<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  return inTransaction(ledger, 'read write', work);
}

/** The same, limited to a lane; undefined: not limited. */
export function writingIn<T>(
  ledger: Ledger,
  lane: Lane | undefined,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  return inTransaction(ledger, 'read write', work, lane);
}

/**
 * Runs `prepare` and `work` in one write transaction of a database, which other writers wait for only from `work` on.
 * @param prepare writes temporary tables alone.
 */
export function writingAfter<T>(
  ledger: Ledger,
  prepare: (ledger: Ledger) => Promise<void>,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const prepared = async (ledger: Ledger) => {
    await prepare(ledger);
    await all(ledger, sql.raw(LOCK_LEDGER));
    return work(ledger);
  };
  return inTransaction(ledger, 'read write', prepared, null);
}

/**
 * Runs `work` on one snapshot of the ledger, so that the results of several queries are consistent.
 * @param work as for `writing`.
 */
export function reading<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  return inTransaction(ledger, 'read only', work);
}

/** Retries: a verb may run again after a commit whose answer was lost, because it finds its work done. */
function inTransaction<T>(
  ledger: Ledger,
  accessMode: AccessMode,
  work: (ledger: Ledger) => Promise<T>,
  lane?: Lane | null,
): Promise<T> {
  if (ledger.inTransaction) return work(ledger);
  const db = (lane !== undefined && ledger.inLane?.(lane)) || ledger.db;
  return retryWhileUnavailable(ledger.local, () =>
    db
      .transaction()
      .setAccessMode(accessMode)
      .execute((db) => work({ ...ledger, db, inTransaction: true })),
  );
}

/** A hash in hex digits, as the bytes that the ledger stores. */
export function bytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}

/** A limit as a bound value. As a sum, because SQLite plans a query again for each value of a plain bound limit. */
export function boundLimit(limit: number): RawBuilder<number> {
  return sql<number>`${limit} + 0`;
}

/** Condition on `submission`: it belongs to the environment. By number, as in the index of waiting submissions. */
export function inEnvironment(name: string): RawBuilder<boolean> {
  return sql<boolean>`environment_id = (select e.environment_id from environment e where e.name = ${name})`;
}

/** The prepared statement for a text, prepared once per ledger. */
export function prepared(ledger: Ledger, text: string): Statement {
  return preparedOn(fileOf(ledger), text);
}
