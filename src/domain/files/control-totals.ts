import { DISPOSITIONS, type Disposition } from '../row.js';

/** How a drop's control totals came out. */
export const CONTROL_STATES = ['met', 'different', 'missing'] as const;

export interface ControlFinding {
  readonly state: (typeof CONTROL_STATES)[number];
  /** Rows of data expected; null: no bound. */
  readonly min: number | null;
  readonly max: number | null;
  /** Rows of data read. */
  readonly read: number;
}

/** How many rows of data a drop should have. */
export interface ControlExpectation {
  /** What its control file says; null: there is none. */
  readonly said: number | null;
  /** True where a control file was required, and none came in time. */
  readonly isMissing: boolean;
  /** What its source says about all its drops; null: no bound. */
  readonly min: number | null;
  readonly max: number | null;
}

/** Compares the rows of data that were read with what is expected. */
export function compareTotals(
  { said, isMissing, min, max }: ControlExpectation,
  read: number,
): ControlFinding {
  const isDifferent =
    (said !== null && said !== read) || (min !== null && read < min) || (max !== null && read > max);
  const state = isMissing ? 'missing' : isDifferent ? 'different' : 'met';
  return { state, read, ...(said === null ? { min, max } : { min: said, max: said }) };
}

/** Rows of data: titles, headers, totals and blank lines don't count. */
export function dataRows(dispositions: Readonly<Record<Disposition, number>>): number {
  return DISPOSITIONS.reduce(
    (sum, name) => (name === 'non-data' || name === 'blank' ? sum : sum + dispositions[name]),
    0,
  );
}
