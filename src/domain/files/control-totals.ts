import { DISPOSITIONS, type Disposition } from '../row.js';

/** How a drop's control totals came out. */
export const CONTROL_STATES = ['met', 'different'] as const;

export interface ControlFinding {
  readonly state: (typeof CONTROL_STATES)[number];
  /** Rows of data expected; null: no bound. */
  readonly min: number | null;
  readonly max: number | null;
  /** Rows of data read. */
  readonly read: number;
}

/** Compares the rows of data that were read with how many a drop should have. */
export function compareTotals(
  { min, max }: Pick<ControlFinding, 'min' | 'max'>,
  read: number,
): ControlFinding {
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
