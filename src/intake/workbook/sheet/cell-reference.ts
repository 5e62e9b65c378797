/** Last column (XFD) and last row of a sheet, from 1 (ECMA-376 as every spreadsheet program limits it). */
export const COLUMNS_MAX = 16_384;
export const ROWS_MAX = 1_048_576;

/** The column a reference such as `AB12` names, from 1; 0 when it names none. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let i = 0; i < reference.length; i += 1) {
    // Folds lower-case letters onto upper-case ones, and nothing else onto them.
    const letter = (reference.charCodeAt(i) & ~0x20) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column;
}

/** The row a reference such as `AB12` names; null when it names none. */
export function rowOf(reference: string): number | null {
  const digits = /(?<!\d)\d+$/.exec(reference)?.[0];
  return digits === undefined ? null : Number(digits);
}

/** The letters of a column, from 1. */
export function columnLetters(column: number): string {
  const before = Math.floor((column - 1) / 26);
  return (before > 0 ? columnLetters(before) : '') + String.fromCharCode(0x41 + ((column - 1) % 26));
}

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
