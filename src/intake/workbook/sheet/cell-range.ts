import { COLUMNS_MAX, columnOf, ROWS_MAX, rowOf } from './cell-reference.js';

/** A rectangle of cells; rows and columns count from 1, and its last ones belong to it. */
export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The cells that a reference such as `A1:C3` or `B2` names, as far as a sheet has them; null when it names none. */
export function rangeOf(reference: string): CellRange | null {
  const [first = '', last = first] = reference.replaceAll('$', '').split(':');
  const [top, bottom] = [rowOf(first), rowOf(last)];
  const [left, right] = [columnOf(first), columnOf(last)];
  if (top === null || bottom === null || left === 0 || right === 0) return null;
  return {
    top: Math.min(top, bottom),
    left: Math.min(left, right),
    bottom: Math.min(Math.max(top, bottom), ROWS_MAX),
    right: Math.min(Math.max(left, right), COLUMNS_MAX),
  };
}

/** True for a range of more than one cell. */
export function isSeveral(range: CellRange | null): range is CellRange {
  return range !== null && (range.bottom > range.top || range.right > range.left);
}
