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
import { whileAway } from './away.js';
import type { Tables } from './schema.js';
import { openDatabase } from './sqlite/driver.js';
import { kyselyWith, preparedOn } from './sqlite/executor.js';

/** An open ledger, or one transaction on it. */
export interface Ledger {
  /** Runs queries: outside of a transaction each by itself. */
  readonly db: Kysely<Tables>;
  /** True within `writing` or `reading`. */
  readonly inTransaction: boolean;
  /** The time by which the ledger goes, the same for all its processes: the machine's for a file, a database's own. */
  readonly clock: Clock;
  /** The clock of this process. What a deadline of this process is compared with, such as a fence. */
  readonly local: Clock;
  /** The salt of the ledger's hashes, 64 hex digits. Never shown. */
  readonly salt: string;
  /** How the paths of files begin that this process keeps beside the ledger for a while. */
  readonly beside: string;
  /** null: the ledger is a database. */
  readonly file: LedgerFile | null;
  /** Begins transactions that keep to a lane; absent: a file has one writer at a time. */
  readonly inLane?: (lane: Lane) => Kysely<Tables>;
}

/**
 * What a write transaction keeps to: the permits of one client id, or what is a lease's alone by the lease's name, such as the rows
 * of an environment while its push sends them. In a database transactions of different lanes run side by side; all others have the
 * whole ledger.
 */
export type Lane = 'stage' | `${'push' | 'job' | 'fetch' | 'run' | 'client'}:${string}`;

export interface FileLedger extends Ledger {
  readonly file: LedgerFile;
}

/** The file that the ledger is. For what only a file needs: its callers have made sure that it is one. */
export function fileOf({ file }: Pick<Ledger, 'file'>): LedgerFile {
  if (file === null) throw new Error('the ledger is a database, and no file');
  return file;
}

/** The file that a ledger is, and the connection to it: for staging, backups, and what looks after files. */
export interface LedgerFile {
  /** ':memory:' for a ledger in memory. */
  readonly path: string;
  /** Device and inode of the file that was opened; '' for a ledger in memory. */
  readonly inode: string;
  readonly sqlite: Database;
  /** The prepared statements by their text. */
  readonly statements: Map<string, Statement>;
}

/**
 * Builds parts of queries, and queries that `all`, `first` and `change` run on a ledger; a query that is run where it is written is
 * built by the ledger's own `db`. A state that a partial index chooses its rows by is written as a
 * literal (`sql.lit`): SQLite uses the index only where the query has its condition.
 */
export const query = kyselyWith(() => new DummyDriver());

/** A query without a ledger: built by `query`, or written as SQL. */
type Built<T> = (Compilable<T> | RawBuilder<T>) & OperationNodeSource;

/** The text of a query in the words of the ledger's own engine. */
function compiled<T>({ db }: Ledger, built: Built<T>): CompiledQuery<T> {
  return db.getExecutor().compileQuery<T>(built.toOperationNode() as RootOperationNode, createQueryId());
}

/** Every row of a query's answer. */
export async function all<T>(ledger: Ledger, built: Built<T>): Promise<T[]> {
  return (await asked(ledger, built)).rows;
}

/** The first row of a query's answer; undefined when there is none. */
export async function first<T>(ledger: Ledger, built: Built<T>): Promise<T | undefined> {
  return (await all(ledger, built))[0];
}

function asked<T>(ledger: Ledger, built: Built<T>): Promise<QueryResult<T>> {
  return ledger.db.executeQuery(compiled(ledger, built));
}

/**
 * Rows of a query's answer one by one, for answers that don't fit in memory. Within a transaction they are read in it, and
 * nothing may be written meanwhile; otherwise as the ledger is now, on a connection of their own, which makes no other flow wait.
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

/** How many rows a query finds. @param rows without a column selected. */
export async function count<All, Table extends keyof All>(
  ledger: Ledger,
  rows: SelectQueryBuilder<All, Table, object>,
): Promise<number> {
  const [counted] = await all(ledger, rows.select(sql<number>`count(*)`.as('count')));
  return (counted as { readonly count: number } | undefined)?.count ?? 0;
}

/** Inserts one row, and gives what the insert returns of it. */
export async function inserted<T>(ledger: Ledger, built: Built<T>): Promise<T> {
  const row = await first(ledger, built);
  if (row === undefined) throw new Error('the insert returns nothing');
  return row;
}

/** Carries out an insert, update or delete. @returns how many rows it changed. */
export async function change(ledger: Ledger, built: Built<unknown>): Promise<number> {
  return writing(ledger, async (ledger) => Number((await asked(ledger, built)).numAffectedRows ?? 0));
}

/**
 * Runs `work` in one write transaction, begun IMMEDIATE; on a ledger that is already a transaction, within it.
 * @param work gets the transaction and must use only that: a query to the ledger itself would wait for the end of `work`.
 */
export function writing<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  return inTransaction(ledger, 'read write', work);
}

/** The same for work that keeps to a lane; undefined: it may write anything. */
export function writingIn<T>(
  ledger: Ledger,
  lane: Lane | undefined,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  return inTransaction(ledger, 'read write', work, lane);
}

/**
 * Runs `work` on one unchanging view of the ledger, so that numbers of several queries belong together.
 * @param work as for `writing`.
 */
export function reading<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  return inTransaction(ledger, 'read only', work);
}

/** Each verb may be called again: what an answer that was lost had done is found done. */
function inTransaction<T>(
  ledger: Ledger,
  accessMode: AccessMode,
  work: (ledger: Ledger) => Promise<T>,
  lane?: Lane,
): Promise<T> {
  if (ledger.inTransaction) return work(ledger);
  const db = (lane && ledger.inLane?.(lane)) ?? ledger.db;
  return whileAway(ledger.local, () =>
    db
      .transaction()
      .setAccessMode(accessMode)
      .execute((db) => work({ ...ledger, db, inTransaction: true })),
  );
}

/** A hash of hex digits as the bytes that the ledger keeps. */
export function bytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}

/** A limit of any value: a sum, whose value SQLite doesn't plan by. A bound limit alone is planned anew each time. */
export function boundLimit(limit: number): RawBuilder<number> {
  return sql<number>`${limit} + 0`;
}

/** Condition on `submission`: it belongs to the environment of this name. By number, as in the index of waiting submissions. */
export function inEnvironment(name: string): RawBuilder<boolean> {
  return sql<boolean>`environment_id = (select e.environment_id from environment e where e.name = ${name})`;
}

/** The prepared statement for this text, made once per ledger. */
export function prepared(ledger: Ledger, text: string): Statement {
  const { sqlite, statements } = fileOf(ledger);
  return preparedOn(sqlite, statements, text);
}
