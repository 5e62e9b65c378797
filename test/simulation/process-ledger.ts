import type { Database, Statement } from 'better-sqlite3';
import type { Clock } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/query.js';

/** What is asked around each statement of a process. */
export interface StatementHooks {
  /** Before a statement; throws when the process is dead, or dies of it. */
  before(): void;
  /** After whatever changed the ledger was committed; may throw as well. */
  committed(): void;
}

/** The one database that all processes of a world use, and its statements. */
export interface SharedDatabase {
  readonly sqlite: Database;
  readonly salt: string;
  readonly statements: Map<string, Statement>;
}

/** The ledger as one process has it open: the shared database, its own clock, and its death between two statements. */
export function processLedger(shared: SharedDatabase, clock: Clock, hooks: StatementHooks): Ledger {
  const { sqlite } = shared;
  const prepare = (text: string) => hookedStatement(shared, text, hooks);
  const transaction = (work: () => unknown) => {
    const raw = sqlite.transaction(work);
    const run = (how: 'immediate' | 'deferred') => {
      hooks.before();
      const result = raw[how]();
      if (!sqlite.inTransaction) hooks.committed();
      return result;
    };
    return { immediate: () => run('immediate'), deferred: () => run('deferred') };
  };
  const pragma = (text: string, options?: Parameters<Database['pragma']>[1]) => {
    hooks.before();
    return sqlite.pragma(text, options);
  };
  // All that the ledger's functions use of a connection.
  const view = { prepare, transaction, pragma } as unknown as Database;
  return { sqlite: view, clock, salt: shared.salt, path: ':memory:', file: '', statements: new Map() };
}

function hookedStatement(shared: SharedDatabase, text: string, hooks: StatementHooks): Statement {
  const { sqlite, statements } = shared;
  const raw = statements.get(text) ?? sqlite.prepare(text);
  statements.set(text, raw);
  const asked =
    <A extends unknown[], T>(how: (...args: A) => T) =>
    (...args: A): T => {
      hooks.before();
      return how.apply(raw, args);
    };
  const hooked = {
    all: asked(raw.all),
    get: asked(raw.get),
    iterate: asked(raw.iterate),
    run: (...args: unknown[]) => {
      hooks.before();
      const result = raw.run(...args);
      if (!sqlite.inTransaction) hooks.committed();
      return result;
    },
    pluck: () => {
      raw.pluck();
      return hooked;
    },
  };
  return hooked as unknown as Statement;
}
