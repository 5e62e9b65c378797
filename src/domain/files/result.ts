import { msFromIso } from '../clock.js';

/** As their names end; a sender's program waits for the last one, which is written last. */
export const RESULT_FILES = ['accepted.csv', 'refused.csv', 'attention.xlsx', 'json'] as const;

export type ResultFile = (typeof RESULT_FILES)[number];

/** @param file the name of the drop's file, fit for any folder. */
export function resultName(file: string, dropId: number, which: ResultFile): string {
  return `${file}.result-${dropId}.${which}`;
}

/** False for the correction workbook, which is imported again. */
export function isResultName(name: string): boolean {
  return /\.result-\d+\.(?:accepted\.csv|refused\.csv|json)$/.test(name);
}

interface ExpectedResult {
  /** When the file's rows began to count, ISO; null: it was refused. */
  readonly publishedAt: string | null;
  readonly isMoving: boolean;
  /** The wait after a failure, as ISO time. */
  readonly dueAt: string;
}

interface ResultTiming {
  readonly nowMs: number;
  readonly withinMs: number;
  /** False: one that failed is tried again at once. */
  readonly backsOff: boolean;
}

/** Longer than any wait after a failure: a later time was set before the clock was set back. */
const LATEST_DUE_MS = 24 * 3_600_000;

/** Once no row of the file waits to be sent, or `withinMs` after the import. A refused file's is due at once. */
export function isResultDue(
  { publishedAt, isMoving, dueAt }: ExpectedResult,
  { nowMs, withinMs, backsOff }: ResultTiming,
): boolean {
  const waitMs = msFromIso(dueAt) - nowMs;
  if (backsOff && waitMs > 0 && waitMs < LATEST_DUE_MS) return false;
  return !isMoving || publishedAt === null || msFromIso(publishedAt) + withinMs <= nowMs;
}
