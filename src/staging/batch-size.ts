/** How many rows go into one transaction. */
export interface BatchSize {
  /** Rows to collect before the next transaction. */
  rows(): number;
  /** Sets how long a transaction should take, in milliseconds. */
  aimAt(ms: number): void;
  /** Sets how many submissions the ledger has now. */
  beside(submissions: number): void;
  /** Adapts the size to a transaction that wrote `rows` rows in `ms` milliseconds. */
  measured(rows: number, ms: number): void;
}

/** The most characters of the cells of a transaction's rows, which can be long. */
export const MAX_BATCH_LENGTH = 16_000_000;

/** The fewest rows of a transaction, however slow the disk: larger transactions cost less per row. */
const MIN_ROWS = 2_000;
/** The most rows of a transaction in a small ledger. */
const MAX_ROWS = 40_000;
/**
 * The same in a large ledger, as a share of its submissions. Each transaction writes nearly every page of the key
 * index, however few rows it has. A transaction grows with the ledger, so that the cost of a row stays constant.
 */
const MAX_SHARE = 1 / 50;

/**
 * Sizes transactions by the time the last ones took. A size at most doubles: a single odd measurement has little
 * effect.
 */
export function batchSize(): BatchSize {
  let rowsPerMs = 0;
  let last = MIN_ROWS / 2;
  let aimMs = 0;
  let maxRows = MAX_ROWS;
  return {
    rows: () => Math.max(MIN_ROWS, Math.min(maxRows, last * 2, Math.round(rowsPerMs * aimMs))),
    aimAt: (ms) => {
      aimMs = ms;
    },
    beside: (submissions) => {
      maxRows = Math.max(MAX_ROWS, Math.round(submissions * MAX_SHARE));
    },
    measured: (rows, ms) => {
      rowsPerMs = rows / Math.max(1, ms);
      last = rows;
    },
  };
}
