import type { Database, Statement } from 'better-sqlite3';
import {
  type Compilable,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Clock } from '../domain/clock.js';
import type { Tables } from './schema.js';

/** An open ledger. All its functions are synchronous: each is a transaction that nothing can come between. */
export interface Ledger {
  readonly sqlite: Database;
  readonly clock: Clock;
  /** Key of the ledger's HMACs, 64 hex digits. Never shown. */
  readonly salt: string;
  readonly path: string;
  /** Which file it is, by device and inode; '' of one in memory. */
  readonly file: string;
  readonly statements: Map<string, Statement>;
}

/** Builds queries; they are run by `all`, `first` and `change`, never by Kysely itself. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Every row of a query's answer. */
export function all<T>(ledger: Ledger, built: Compilable<T>): T[] {
  const { sql: text, parameters } = built.compile();
  return prepared(ledger, text).all(...parameters) as T[];
}

/** The first row of a query's answer; undefined when there is none. */
export function first<T>(ledger: Ledger, built: Compilable<T>): T | undefined {
  const { sql: text, parameters } = built.compile();
  return prepared(ledger, text).get(...parameters) as T | undefined;
}

/** Rows of a query's answer one by one, for answers that don't fit in memory. Write nothing meanwhile. */
export function each<T>(ledger: Ledger, built: Compilable<T>): IterableIterator<T> {
  const { sql: text, parameters } = built.compile();
  return ledger.sqlite.prepare(text).iterate(...parameters) as IterableIterator<T>;
}

/** Carries out an insert, update or delete. `id` is the inserted row's. */
export function change(ledger: Ledger, built: Compilable<unknown>): { changes: number; id: number } {
  const { sql: text, parameters } = built.compile();
  const result = prepared(ledger, text).run(...parameters);
  return { changes: result.changes, id: Number(result.lastInsertRowid) };
}

/**
 * Runs `work` in one write transaction, begun IMMEDIATE: a deferred one that reads first and writes then fails
 * at once when another process has written in between.
 */
export function writing<T>(ledger: Ledger, work: () => T): T {
  return ledger.sqlite.transaction(work).immediate();
}

/** Runs `work` on one unchanging view of the ledger, so that numbers of several queries belong together. */
export function reading<T>(ledger: Ledger, work: () => T): T {
  return ledger.sqlite.transaction(work).deferred();
}

/** A hash of 32 hex digits as the 16 bytes the ledger keeps. */
export function bytes(hash: string): RawBuilder<Buffer> {
  return sql<Buffer>`unhex(${hash})`;
}

/** The same for a learner's hash; a record about nobody has none, and is kept as no bytes. */
export function learnerBytes(hash: string | null): RawBuilder<Buffer> {
  return sql<Buffer>`unhex(${hash ?? ''})`;
}

/**
 * Condition: the hash in this column begins with so many bytes of another hash. Keys begin like their slots and slots
 * like their learners (see `RecordKeys`), so this is how the one index on keys finds a slot's or a learner's rows; the
 * full hash must be compared beside it.
 */
export function beginsLike(column: string, other: RawBuilder<Buffer>, digits: number): RawBuilder<boolean> {
  const from = sql`substr(${other}, 1, ${sql.lit(digits / 2)})`;
  return sql<boolean>`${sql.ref(column)} between ${from} and cast(${from} || ${AFTER_ALL} as blob)`;
}

/** Longer and later than what is left of any key. */
const AFTER_ALL = sql`x'ffffffffffffffffffffffffff'`;

/** The prepared statement for this text, made once per ledger. */
export function prepared(ledger: Ledger, text: string): Statement {
  const known = ledger.statements.get(text);
  if (known) return known;
  const statement = ledger.sqlite.prepare(text);
  ledger.statements.set(text, statement);
  return statement;
}
