import type { Database, Statement } from 'better-sqlite3';
import {
  type Compilable,
  type CompiledQuery,
  createQueryId,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  type QueryResult,
  type RawBuilder,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Clock } from '../../domain/clock.js';
import { withPath } from '../../domain/process/io-hints.js';
import { isAway } from './away.js';
import type { Tables } from './schema.js';
import { openDatabase } from './sqlite/driver.js';
import { preparedOn } from './sqlite/executor.js';

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
}

/** A ledger that is a file. */
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
 * Builds queries; `all`, `first` and `change` run them on a ledger. A state that a partial index chooses its rows by is written as a
 * literal (`sql.lit`): SQLite uses the index only where the query has its condition.
 */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

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
  return (await asked(ledger, built)).rows[0];
}

function asked<T>(ledger: Ledger, built: Built<T>): Promise<QueryResult<T>> {
  return reaching(ledger, () => ledger.db.executeQuery(compiled(ledger, built)));
}

/** For so long a database that is away is asked again: a restart of it takes less, and a lease outlives it. */
const REACHED_WITHIN_MS = 20_000;

/**
 * Asks a database again while it can't be reached. Each verb may be called again: what an answer that was lost had done is found
 * done. Within a transaction nothing is asked again, since that has ended.
 */
async function reaching<T>(ledger: Ledger, ask: () => Promise<T>): Promise<T> {
  const { file, local, inTransaction } = ledger;
  if (file !== null || inTransaction) return ask();
  const lastMs = local.monotonicMs() + REACHED_WITHIN_MS;
  for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2_000)) {
    try {
      return await ask();
    } catch (error) {
      if (!isAway(error) || local.monotonicMs() + waitMs > lastMs) throw error;
    }
    await local.sleep(waitMs);
  }
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

/** Throws an error with the path of the ledger, for people to see where a disk is full. */
function named({ file }: Ledger): (error: unknown) => never {
  return (error) => {
    throw file === null ? error : withPath(error, file.path);
  };
}

/** Carries out an insert, update or delete. @returns how many rows it changed. */
export async function change(ledger: Ledger, built: Built<unknown>): Promise<number> {
  const { numAffectedRows } = await changing(ledger, built);
  return Number(numAffectedRows ?? 0);
}

/** Inserts one row, and gives what the insert returns of it. */
export async function inserted<T>(ledger: Ledger, built: Built<T>): Promise<T> {
  const { rows } = await changing(ledger, built);
  if (rows[0] === undefined) throw new Error('the insert returns nothing');
  return rows[0];
}

function changing<T>(ledger: Ledger, built: Built<T>): Promise<QueryResult<T>> {
  if (ledger.file === null && !ledger.inTransaction)
    return writing(ledger, (ledger) => changing(ledger, built));
  return ledger.db.executeQuery(compiled(ledger, built)).catch(named(ledger));
}

/**
 * Runs `work` in one write transaction, begun IMMEDIATE; on a ledger that is already a transaction, within it.
 * @param work gets the transaction and must use only that: a query to the ledger itself would wait for the end of `work`.
 */
export function writing<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  if (ledger.inTransaction) return work(ledger);
  const done = reaching(ledger, () =>
    ledger.db.transaction().execute((db) => work({ ...ledger, db, inTransaction: true })),
  );
  return done.catch(named(ledger));
}

/**
 * Runs `work` on one unchanging view of the ledger, so that numbers of several queries belong together.
 * @param work as for `writing`.
 */
export function reading<T>(ledger: Ledger, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  if (ledger.inTransaction) return work(ledger);
  return reaching(ledger, () =>
    ledger.db
      .transaction()
      .setAccessMode('read only')
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
