import { cellText, isBlankRow, type Row } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import { isRuler } from '../header/noise.js';
import { type PreambleFacts, preambleFacts } from '../mapping/preamble-facts.js';
import { type GivenMapping, type InferredMapping, inferMapping, NOTHING_GIVEN } from './infer-mapping.js';

/** Lines from the top that may be the header. */
const SEARCHED_ROWS = 30;

/** What a sample shows. */
export interface InferredSample extends InferredMapping {
  /** The rows below its header. */
  readonly below: readonly Row[];
  /** The header's own cells, in the order of the file; empty ones too. */
  readonly headers: readonly string[];
  /** What the lines above it say about all rows. */
  readonly preamble: PreambleFacts;
}

/**
 * Proposes a mapping from the first rows of a file whose header line is not known. The header is the line that maps most fields,
 * the first of equals; null where no line maps two.
 * @param given where it names headers, the header is the first line that has all of them, if there is one.
 */
export function inferSample(
  rows: readonly Row[],
  operation: Operation,
  given: GivenMapping = NOTHING_GIVEN,
): InferredSample | null {
  const filled = rows.filter(({ cells }) => !isBlankRow(cells) && !isRuler(cells));
  const inferAt = (index: number) => inferAtLine(filled, index, operation, given);
  const named = lineWith(filled, given);
  if (named !== -1) return inferAt(named);
  let best: InferredSample | null = null;
  for (const index of filled.slice(0, SEARCHED_ROWS).keys()) {
    const inferred = inferAt(index);
    if (mappedCount(inferred) > (best === null ? 1 : mappedCount(best))) best = inferred;
  }
  return best;
}

/** How many fields of the operation a column gives. */
export function mappedCount(mapping: InferredMapping): number {
  return mapping.columns.filter(({ header }) => header !== null).length;
}

/** The first line with each of the headers that a person has named; -1 where there is none, or nobody has named one. */
function lineWith(filled: readonly Row[], { columns }: GivenMapping): number {
  const wanted = Object.values(columns).flatMap((header) => header ?? []);
  if (wanted.length === 0) return -1;
  return filled.slice(0, SEARCHED_ROWS).findIndex(({ cells }) => {
    const headers = cells.map((cell) => cellText(cell).trim());
    return wanted.every((header) => headers.includes(header.trim()));
  });
}

function inferAtLine(
  filled: readonly Row[],
  index: number,
  operation: Operation,
  given: GivenMapping,
): InferredSample {
  const row = filled[index] as Row;
  const below = filled.slice(index + 1);
  const headers = row.cells.map(cellText);
  const mapping = inferMapping(
    headers,
    below.map(({ cells }) => cells),
    operation,
    given,
  );
  return {
    ...mapping,
    below,
    headers,
    preamble: preambleFacts(filled.slice(0, index)),
  };
}
