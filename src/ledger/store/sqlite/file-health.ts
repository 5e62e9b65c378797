import type { Database } from 'better-sqlite3';
import { countOf } from '../../../domain/text/count-of.js';
import type { LedgerFile } from '../query.js';

/** Runs SQLite's own checks. @param how `quick` doesn't compare each index with its table. */
export function fileHealth({ sqlite }: LedgerFile, how: 'quick' | 'full' | 'deep') {
  const check = how === 'quick' ? 'quick_check' : 'integrity_check';
  const [damage] = Object.values((sqlite.pragma(`${check}(1)`) as Record<string, string>[])[0] ?? {});
  const dangling = sqlite.prepare('select count(*) from pragma_foreign_key_check').pluck().get() as number;
  const astray =
    dangling === 0 ? null : `${countOf(dangling, 'row refers', 'rows refer')} to rows that are not there`;
  return {
    /** The first damage found; null: there is none. It mentions tables and indexes, never content. */
    fault: damage === undefined || damage === 'ok' ? astray : damage,
    /** `wal`, unless another program has changed it. */
    journalMode: sqlite.pragma('journal_mode', { simple: true }) as string,
  };
}

/** False for a file in which SQLite finds any damage. */
export function isIntact(sqlite: Database): boolean {
  return sqlite.pragma('integrity_check(1)', { simple: true }) === 'ok';
}
