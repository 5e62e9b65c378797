import type { Database } from 'better-sqlite3';
import { openDatabase } from './driver.js';
import { migrate } from './migrate.js';
import type { Ledger } from './query.js';

/** What SQLite itself finds wrong with a ledger's file. */
export interface LedgerHealth {
  /** Up to 20 sentences of SQLite's; none: []. They name tables and indexes, never what stands in them. */
  readonly damage: readonly string[];
  /** Rows that refer to a row that isn't there. */
  readonly danglingRows: number;
  /** `wal`, unless another program has changed it. */
  readonly journalMode: string;
  /** False where a table, an index, a trigger or a view is not as Registrar makes it; not asked by a quick look. */
  readonly isOurSchema: boolean;
}

/**
 * Looks through the whole file. @param how `quick` leaves out whether each index has exactly the entries of its table,
 * which takes most of the time.
 */
export function ledgerHealth({ sqlite }: Ledger, how: 'quick' | 'full'): LedgerHealth {
  const check = how === 'quick' ? 'quick_check' : 'integrity_check';
  const said = sqlite.pragma(`${check}(20)`) as Record<string, string>[];
  return {
    damage: said.flatMap((line) => Object.values(line)).filter((sentence) => sentence !== 'ok'),
    danglingRows: sqlite.prepare('select count(*) from pragma_foreign_key_check').pluck().get() as number,
    journalMode: sqlite.pragma('journal_mode', { simple: true }) as string,
    isOurSchema: how === 'quick' || schemaOf(sqlite) === schemaAsMade(),
  };
}

/** As one that is made now has it. */
function schemaAsMade(): string {
  const made = openDatabase(':memory:');
  try {
    migrate(made, ':memory:', 0);
    return schemaOf(made);
  } finally {
    made.close();
  }
}

/** What SQLite itself has added (statistics, its own tables) says nothing. */
function schemaOf(sqlite: Database): string {
  return sqlite
    .prepare("select group_concat(sql, ';' order by name) from sqlite_master where name not like 'sqlite_%'")
    .pluck()
    .get() as string;
}
