import { cellText, isBlankCell, isBlankRow, type Row } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import { isRuler } from '../header/noise.js';
import { type PreambleFacts, preambleFacts } from '../header/preamble-facts.js';
import { type InferredMapping, inferMapping } from './infer-mapping.js';

/** Lines from the top that may be the header. */
const SEARCHED_ROWS = 30;

/** What a sample shows. */
export interface InferredSample extends InferredMapping {
  /** The rows below its header. */
  readonly below: readonly Row[];
  /** What the lines above it say about all rows. */
  readonly preamble: PreambleFacts;
}

/**
 * Proposes a mapping from the first rows of a file whose header line is not known. The header is the line that maps most fields
 * by its names, the first of equals; where no line maps two, it is the first line of words alone above columns with the values of
 * two fields. null where there is no such line either.
 */
export function inferSample(rows: readonly Row[], operation: Operation): InferredSample | null {
  const filled = rows.filter(({ cells }) => !isBlankRow(cells) && !isRuler(cells));
  let best: InferredSample | null = null;
  for (const index of filled.slice(0, SEARCHED_ROWS).keys()) {
    const inferred = inferAt(filled, index, operation);
    if (namedCount(inferred) > (best === null ? 1 : namedCount(best))) best = inferred;
  }
  if (best !== null) return best;
  const first = filled.slice(0, SEARCHED_ROWS).findIndex(isWords);
  const inferred = first === -1 ? null : inferAt(filled, first, operation);
  return inferred !== null && mappedCount(inferred) > 1 ? inferred : null;
}

/** How many fields of the operation a column gives. */
export function mappedCount(mapping: InferredMapping): number {
  return mapping.columns.filter(({ header }) => header !== null).length;
}

/** How many of these fields the header names. */
function namedCount(mapping: InferredMapping): number {
  return mapping.columns.filter(({ header, isByContent }) => header !== null && !isByContent).length;
}

function inferAt(filled: readonly Row[], index: number, operation: Operation): InferredSample {
  const row = filled[index] as Row;
  const below = filled.slice(index + 1);
  const headers = row.cells.map(cellText);
  const mapping = inferMapping(
    headers,
    below.map(({ cells }) => cells),
    operation,
  );
  return {
    ...mapping,
    below,
    preamble: preambleFacts(filled.slice(0, index), { line: row.line, columns: headers }),
  };
}

function isWords({ cells }: Row): boolean {
  const words = cells.filter((cell) => !isBlankCell(cell));
  return (
    words.length > 1 &&
    new Set(words).size === words.length &&
    words.every((cell) => typeof cell === 'string' && !/[@\d]/.test(cell))
  );
}
