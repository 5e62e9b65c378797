import type { Cell } from '../../../domain/row.js';
import { unreadable } from '../../unreadable.js';
import type { Archive } from '../../zip-entries.js';

/** The merges of a sheet, which follow all of its rows: searching its bytes takes a fifth of the time of reading it. */
export async function readMergedRanges(
  path: string,
  archive: Archive,
  part: string,
): Promise<readonly CellRange[]> {
  const ranges: CellRange[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of archive.read(part)) {
    const bytes = Buffer.concat([rest, chunk]);
    // In UTF-16, every second byte of markup is 0.
    const isWide = bytes.includes(0);
    const text = isWide || bytes.includes(NAME) ? bytes.toString('latin1').replaceAll('\0', '') : '';
    for (const [, quoted = ''] of text.matchAll(MERGE)) {
      const range = rangeOf(quoted.slice(1, -1));
      if (range !== null && isSeveral(range)) ranges.push(range);
    }
    if (ranges.length > RANGES_MAX) throw unreadable(path, 'too-many-merges', { part, most: RANGES_MAX });
    const seam = bytes.subarray(-SEAM_BYTES);
    rest = seam.subarray(Math.max(0, seam.lastIndexOf('<')));
  }
  return ranges;
}

/** Each is kept in memory. One for every second row of the longest sheet is half as many. */
const RANGES_MAX = 1_000_000;

const NAME = 'mergeCell';

/** No text holds a bracket, so that this is an element. */
const MERGE = /<(?:[\w.-]+:)?mergeCell\s(?:[^<>]*\s)?ref\s*=\s*("[^"]*"|'[^']*')/g;

/** An element may be cut where the part was unpacked; one of a merge is shorter. */
const SEAM_BYTES = 2048;

/** Clears the invisible cells under a sheet's merges, all but the first of each; called with each row in the order of lines. */
export function clearUnder(ranges: readonly CellRange[]): (line: number, cells: Cell[]) => void {
  const waiting = [...ranges].sort((a, b) => a.top - b.top);
  let next = 0;
  let open: CellRange[] = [];
  return (line, cells) => {
    for (let range = waiting[next]; range !== undefined && range.top <= line; range = waiting[next]) {
      open.push(range);
      next += 1;
    }
    if (open.length === 0) return;
    open = open.filter(({ bottom }) => bottom >= line);
    for (const { top, left, right } of open) {
      const last = Math.min(right, cells.length);
      for (let at = line === top ? left : left - 1; at < last; at += 1) cells[at] = null;
    }
    while (cells.length > 0 && cells[cells.length - 1] === null) cells.pop();
  };
}

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

export function isSeveral({ top, left, bottom, right }: CellRange): boolean {
  return bottom > top || right > left;
}
