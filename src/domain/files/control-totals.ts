import { DISPOSITIONS, type Disposition } from '../row.js';

/** How a drop's control totals came out. */
export const CONTROL_STATES = ['met', 'different'] as const;

/** How many rows of data a drop should have; null: no bound. */
export interface ExpectedRows {
  readonly min: number | null;
  readonly max: number | null;
}

export interface ControlFinding extends ExpectedRows {
  readonly state: (typeof CONTROL_STATES)[number];
  /** Rows of data read. */
  readonly read: number;
}

/** Compares the rows of data that were read with how many a drop should have. */
export function compareTotals({ min, max }: ExpectedRows, read: number): ControlFinding {
  const isDifferent = (min !== null && read < min) || (max !== null && read > max);
  return { state: isDifferent ? 'different' : 'met', read, min, max };
}

/** Rows of data: titles, headers, totals and blank lines don't count. */
export function dataRows(dispositions: Readonly<Record<Disposition, number>>): number {
  return DISPOSITIONS.reduce(
    (sum, name) => (name === 'non-data' || name === 'blank' ? sum : sum + dispositions[name]),
    0,
  );
}
