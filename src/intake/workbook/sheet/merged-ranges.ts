import type { Cell } from '../../../domain/row.js';
import { unreadable } from '../../unreadable.js';
import type { Archive } from '../../zip-entries.js';
import { parseXml } from '../xml/parse-xml.js';

/**
 * The merges of a sheet, which follow all of its rows. Unpacks the part, which takes a fifth of the time of reading it, and reads
 * only the text from the first mention of merges on.
 */
export async function readMergedRanges(
  path: string,
  archive: Archive,
  part: string,
): Promise<readonly CellRange[]> {
  const end = await endMentioning(archive.read(part));
  const ranges: CellRange[] = [];
  const add = (reference: string) => {
    const range = rangeOf(reference);
    if (range !== null) ranges.push(range);
    if (ranges.length > RANGES_MAX) {
      throw unreadable(
        path,
        `the workbook's part ${part} merges more than ${RANGES_MAX} groups of cells`,
        'Save the data as CSV.',
      );
    }
  };
  if (end !== null) {
    for (const [, quoted = ''] of end.matchAll(MERGE)) add(quoted.slice(1, -1));
    return ranges;
  }
  const chunks = parseXml(path, archive, part, {
    open: (name, attributes) => {
      if (name === 'mergeCell') add(attributes.get('ref') ?? '');
    },
  });
  for await (const _ of chunks);
  return ranges;
}

/** Each is kept in memory. One for every second row of the longest sheet is half as many. */
const RANGES_MAX = 1_000_000;

const NAME = 'mergeCell';

/** No text holds a bracket, so that this is an element. */
const MERGE = /<(?:[\w.-]+:)?mergeCell\s(?:[^<>]*\s)?ref\s*=\s*("[^"]*"|'[^']*')/g;

/** The end of a part after a table of a million rows is shorter, except for a text that mentions merges near its beginning. */
const END_CHARS_MAX = 32 * 1024 * 1024;

/**
 * The end of a part from before the first mention of merges on, '' where there is none. null where the part must be read as XML:
 * its end is too long, or it is UTF-16, in which every second byte of markup is 0 and which no program writes.
 */
async function endMentioning(chunks: AsyncIterable<Buffer>): Promise<string | null> {
  let end = '';
  let isMentioned = false;
  for await (const chunk of chunks) {
    if (chunk.includes(0)) return null;
    end += chunk.toString('latin1');
    isMentioned ||= end.includes(NAME);
    // The name, or the bracket and the prefix in front of it, may be cut where the part was unpacked.
    if (!isMentioned) end = end.slice(-SEAM_CHARS);
    if (end.length > END_CHARS_MAX) return null;
  }
  return isMentioned ? end : '';
}

const SEAM_CHARS = 64;

/** Applies a sheet's merges to its rows. A merge shows its first cell; the other cells under it are invisible. */
export interface MergedCells {
  /** A row as it is about to be given, in the order of lines. May clear cells of it. */
  row(line: number, cells: Cell[]): void;
  /** Takes a merge, as the sheet lists it after all of its rows. */
  range(reference: string): void;
}

/** Clears what is under merges that are known before the rows are read. */
export function clearUnder(ranges: readonly CellRange[]): MergedCells {
  const waiting = ranges.filter(isSeveral).sort((a, b) => a.top - b.top);
  let next = 0;
  let open: CellRange[] = [];
  return {
    row: (line, cells) => {
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
    },
    range: () => {},
  };
}

/** Rows whose cells are kept until the sheet's end: titles and headers are what people merge. */
const KEPT_ROWS = 64;

/**
 * Leaves the rows unchanged, and reports at the sheet's end that some were given with cells under a merge. It also reports a
 * merge further down than the first rows: those aren't kept, so their cells are unknown.
 */
export function watchMerges(onCovered: () => void): MergedCells {
  const recent: { readonly line: number; readonly cells: readonly Cell[] }[] = [];
  let lastLine = 0;
  let isReported = false;
  return {
    row: (line, cells) => {
      lastLine = line;
      if (recent.length < KEPT_ROWS) recent.push({ line, cells });
    },
    range: (reference) => {
      const range = isReported ? null : rangeOf(reference);
      if (!isSeveral(range) || range.top > lastLine || !mayCover(range)) return;
      isReported = true;
      onCovered();
    },
  };

  function mayCover(range: CellRange): boolean {
    const keptTo = recent.length < KEPT_ROWS ? lastLine : (recent.at(-1)?.line ?? 0);
    return range.bottom > keptTo && lastLine > keptTo ? true : recent.some((row) => holdsUnder(row, range));
  }
}

function holdsUnder(
  { line, cells }: { readonly line: number; readonly cells: readonly Cell[] },
  { top, left, bottom, right }: CellRange,
): boolean {
  if (line < top || line > bottom) return false;
  return cells.slice(line === top ? left : left - 1, right).some((cell) => cell !== null);
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

export function isSeveral(range: CellRange | null): range is CellRange {
  return range !== null && (range.bottom > range.top || range.right > range.left);
}
