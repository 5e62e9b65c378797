import BetterSqlite3, { type Database, type Statement } from 'better-sqlite3';
import type { Clock } from '../../src/domain/clock.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import type { FileLedger, Ledger } from '../../src/ledger/store/query.js';
import { createSemaphore, type Semaphore } from '../../src/ledger/store/semaphore.js';
import { executorOn } from '../../src/ledger/store/sqlite/executor.js';
import { manualClock } from '../support/manual-clock.js';
import type { VirtualTime } from '../support/virtual-time.js';

/** Hooks around each statement of a process. */
export interface StatementHooks {
  /** Before a statement; throws when the process is dead, or dies of it. */
  before(): void;
  /** After whatever changed the ledger was committed; may throw as well. */
  committed(): void;
}

/** The ledger that all processes of a world use. */
export interface WorldLedger {
  /** As one process has it open. */
  of(process: { readonly clock: Clock; readonly time: VirtualTime }, hooks: StatementHooks): Ledger;
  /** As a reader has it open. */
  seenAt(process: { readonly clock: Clock; readonly time: VirtualTime }): Ledger;
  /** Lets the kernel say from now on that the process which holds leases as this owner does not exist. */
  markGone(ownerId: string): void;
  /** Resolves once all queries are answered; null: answers come at once. */
  readonly atRest: (() => Promise<void>) | null;
  close(): void | Promise<void>;
}

/** When a world begins. */
export const BEGIN = '2026-03-02T08:00:00.000Z';

/** A new ledger in memory. */
export function memoryLedger(): WorldLedger {
  const shared = emptyLedger();
  return {
    of: ({ clock }, hooks) => processLedger(shared, clock, hooks),
    seenAt: ({ clock }) => sharedLedger(shared, clock),
    markGone(ownerId) {
      shared.sqlite.prepare('update lease set pid = ? where owner = ?').run(NO_PID, ownerId);
    },
    atRest: null,
    close: () => closeShared(shared),
  };
}

/** The one database that all processes of a world use, and its statements. */
export interface SharedDatabase {
  readonly sqlite: Database;
  readonly salt: string;
  readonly statements: Map<string, Statement>;
  /** Whose turn the one connection is. */
  readonly turns: Semaphore;
}

let migrated: Buffer | null = null;

/** The same salt for every world, so that the same seed gives the same keys. */
export const SALT = '5a'.repeat(32);

/** A new ledger in memory, a copy of one that was migrated before. */
export function emptyLedger(): SharedDatabase {
  migrated ??= migratedLedger();
  const sqlite = new BetterSqlite3(migrated);
  sqlite.pragma('foreign_keys = on');
  return { sqlite, salt: SALT, statements: new Map(), turns: createSemaphore() };
}

function migratedLedger(): Buffer {
  const ledger = openLedger(':memory:', manualClock());
  const copy = ledger.file.sqlite.serialize();
  closeLedger(ledger);
  return copy;
}

/** Ends the connection that all processes have used. */
export function closeShared({ sqlite }: SharedDatabase): void {
  sqlite.close();
}

/** No process has it: Linux assigns numbers up to 2^22. */
export const NO_PID = 2 ** 22 + 1;

/** The ledger as one process has it open: the shared database, its own clock, and its death between two statements. */
function processLedger(shared: SharedDatabase, clock: Clock, hooks: StatementHooks): FileLedger {
  const { sqlite } = shared;
  const prepare = (text: string) => hookedStatement(shared, text, hooks);
  const pragma = (text: string, options?: Parameters<Database['pragma']>[1]) => {
    hooks.before();
    return sqlite.pragma(text, options);
  };
  // All that the ledger's functions use of a connection.
  const exec = (text: string) => {
    hooks.before();
    return sqlite.exec(text);
  };
  const view = Object.defineProperty({ prepare, pragma, exec }, 'inTransaction', {
    get: () => sqlite.inTransaction,
  }) as unknown as Database;
  return sharedLedger({ ...shared, sqlite: view }, clock);
}

/** A ledger on the shared database with statements of its own: a statement belongs to the process that has prepared it. */
export function sharedLedger({ sqlite, salt, turns }: SharedDatabase, clock: Clock): FileLedger {
  const file = { path: ':memory:', inode: '', sqlite, statements: new Map() };
  const db = executorOn(file, clock, turns);
  return { db, inTransaction: false, clock, local: clock, salt, beside: ':memory:', file };
}

function hookedStatement(shared: SharedDatabase, text: string, hooks: StatementHooks): Statement {
  const { sqlite, statements } = shared;
  const raw = statements.get(text) ?? sqlite.prepare(text);
  statements.set(text, raw);
  // What a process that died has open is rolled back, as SQLite does for its next reader.
  const before = text === 'rollback' ? () => {} : hooks.before;
  const guarded =
    <A extends unknown[], T>(how: (...args: A) => T) =>
    (...args: A): T => {
      before();
      return how.apply(raw, args);
    };
  const hooked = {
    all: guarded(raw.all),
    get: guarded(raw.get),
    iterate: guarded(raw.iterate),
    reader: raw.reader,
    run: (...args: unknown[]) => {
      before();
      const result = raw.run(...args);
      if (!sqlite.inTransaction && text !== 'rollback') hooks.committed();
      return result;
    },
    pluck: () => {
      raw.pluck();
      return hooked;
    },
  };
  return hooked as unknown as Statement;
}
