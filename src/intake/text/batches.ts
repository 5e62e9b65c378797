import type { Row } from '../../domain/row.js';

/** Enough rows that the work per batch doesn't count; few enough to be nothing in memory. */
const BATCH_ROWS = 500;

/** The same rows in batches. */
export function* inBatches(rows: readonly Row[]): Generator<readonly Row[]> {
  if (rows.length <= BATCH_ROWS) {
    if (rows.length > 0) yield rows;
    return;
  }
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS);
}
