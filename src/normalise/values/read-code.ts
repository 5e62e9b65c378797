import type { Cell } from '../../domain/row.js';
import { isPathSegment } from '../../domain/text/path-segment.js';
import { asksForColumn, damageIn, type IdShape } from './id-shape.js';
import { FORMAT_AS_TEXT, readIdentifier } from './identifier.js';
import { type Reading, refuse, UNDECIDED } from './reading.js';

/** The facts about an identifier's column. */
export interface CodeContext {
  readonly column: string;
  readonly shape: IdShape | null;
  /** False where only the first rows are known. */
  readonly isWholeColumn: boolean;
}

/** `readIdentifier` for a cell of a column, whose other cells may show that it is damaged. */
export function readCode(cell: Cell | undefined, context: CodeContext): Reading<string> {
  const { column, shape, isWholeColumn } = context;
  if (!isWholeColumn && asksForColumn(cell, shape)) return UNDECIDED;
  const damage = damageIn(cell, shape);
  if (damage === null) return readIdentifier(cell, context);
  const because =
    damage === 'date'
      ? 'is a date among codes: a spreadsheet has probably made it of a code'
      : `has lost its zeros: the others that begin with zero have ${shape?.width} digits`;
  return refuse('identifier-damaged', column, cell, because, FORMAT_AS_TEXT);
}

/** `readCode` for an identifier that stands in the path of a request, where it must not lead anywhere else. */
export function readSegment(cell: Cell | undefined, context: CodeContext): Reading<string> {
  const reading = readCode(cell, context);
  if (!('value' in reading) || reading.value === null || isPathSegment(reading.value)) return reading;
  return refuse(
    'identifier-invalid',
    context.column,
    cell,
    'would lead to another place of the platform: dots, slashes or backslashes are not enough to name one thing',
    'correct the identifier in the file',
  );
}
