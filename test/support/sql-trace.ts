import { existsSync, readFileSync } from 'node:fs';
import type { SqlTrace } from './sql-faults.js';

/** What `sql-faults` has recorded of a program. */
export interface SqlTraceRead {
  /** How many statements it carried out in all; 0 where it was killed. */
  readonly carriedOut: number;
  /** The statement that was the first to go wrong; null: none did. */
  readonly faulty: string | null;
  /** True where it was of health's probe, which reports an alert. */
  readonly isProbe: boolean;
}

/** Reads the file that `SQL_TRACE` named. */
export function readSqlTrace(path: string): SqlTraceRead {
  const text = existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : '';
  const lines = text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as SqlTrace);
  const faulty = lines.find((line) => 'source' in line);
  return {
    // The program's threads write a line each.
    carriedOut: lines.reduce((sum, line) => sum + ('carriedOut' in line ? line.carriedOut : 0), 0),
    faulty: faulty === undefined ? null : faulty.source.replace(/\s+/g, ' ').slice(0, 120),
    isProbe: faulty?.isProbe ?? false,
  };
}
