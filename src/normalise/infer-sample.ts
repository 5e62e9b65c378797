import { cellText, isBlankRow, type Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { type InferredMapping, inferMapping } from './infer-mapping.js';

/** Lines from the top that may be the header. */
const SEARCHED_ROWS = 30;

/**
 * Proposes a mapping from the first rows of a file whose header line is not known: the line that maps most fields is
 * taken for it, the first of equals. Null where no line maps two.
 */
export function inferSample(rows: readonly Row[], operation: Operation): InferredMapping | null {
  const filled = rows.filter((row) => !isBlankRow(row.cells));
  let best: InferredMapping | null = null;
  for (const [index, row] of filled.slice(0, SEARCHED_ROWS).entries()) {
    const below = filled.slice(index + 1).map(({ cells }) => cells);
    const inferred = inferMapping(row.cells.map(cellText), below, operation);
    if (mappedCount(inferred) > (best === null ? 1 : mappedCount(best))) best = inferred;
  }
  return best;
}

/** How many fields of the operation a column gives. */
export function mappedCount(mapping: InferredMapping): number {
  return mapping.columns.filter(({ header }) => header !== null).length;
}
