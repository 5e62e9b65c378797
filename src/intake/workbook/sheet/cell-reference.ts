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
