import type { Database } from 'better-sqlite3';
import type { LedgerFile } from '../query.js';

/** The result of SQLite's own checks of a ledger's file. */
export type FileHealth = ReturnType<typeof fileHealth>;

/** @param how `quick` doesn't compare each index with its table. */
export function fileHealth({ sqlite }: LedgerFile, how: 'quick' | 'full' | 'deep') {
  const check = how === 'quick' ? 'quick_check' : 'integrity_check';
  const messages = sqlite.pragma(`${check}(20)`) as Record<string, string>[];
  return {
    /** Up to 20 sentences; []: no damage. They mention tables and indexes, never content. */
    damage: messages.flatMap((line) => Object.values(line)).filter((sentence) => sentence !== 'ok'),
    /** The number of rows that refer to a missing row. */
    danglingRows: sqlite.prepare('select count(*) from pragma_foreign_key_check').pluck().get() as number,
    /** `wal`, unless another program has changed it. */
    journalMode: sqlite.pragma('journal_mode', { simple: true }) as string,
  };
}

/** False for a file in which SQLite finds any damage. */
export function isIntact(sqlite: Database): boolean {
  return sqlite.pragma('integrity_check(1)', { simple: true }) === 'ok';
}
