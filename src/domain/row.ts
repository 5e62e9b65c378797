/**
 * One cell as the file holds it, before any normalisation:
 * text; a number (a whole one of more than 15 digits may have lost its last ones); a boolean; a percent cell (`{percent: 85.5}` is 85.5 %);
 * a workbook date without a zone (`{date: "2024-03-01T10:30:00.000"}`); a workbook error (`{error: "#N/A"}`), a formula
 * whose value the workbook doesn't hold (`UNSAVED_FORMULA`), or text with a NUL character, which is shown as ␀
 * (`{error: "a␀b"}`); a value that a workbook strikes through, all or a part of it, with what is struck between ~~
 * (`{error: "ab", struck: "a~~b~~"}`);
 * or null for an empty cell.
 */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly percent: number }
  | { readonly date: string }
  | { readonly error: string; readonly struck?: string };

/** Spreadsheets keep 15 significant digits: a longer whole number has lost its end before it reached the file. */
export const LARGEST_KEPT_INTEGER = 999_999_999_999_999;

/** The `error` of a cell whose formula has no saved value: programs show one that the file doesn't hold. */
export const UNSAVED_FORMULA = 'a formula whose value was not saved';

/** One record of a drop with its place. */
export interface Row {
  /** The physical line where the record begins (text), or the sheet's row number; from 1. */
  readonly line: number;
  /** From column A; may be shorter or longer than the header. */
  readonly cells: readonly Cell[];
  /** The sheet doesn't show the row: a filter or a person has hidden it. Absent in all others. */
  readonly isHidden?: boolean;
  /** Indexes of the cells in which text follows the closing quote: what such a cell was meant to hold isn't sure. Absent: none. */
  readonly strayQuotes?: readonly number[];
  /** A blank row represents this many blank lines, beginning with its own. Absent: only its own. */
  readonly lines?: number;
}

/** How many rows of the file these are. */
export function countRows(rows: readonly Pick<Row, 'lines'>[]): number {
  return rows.reduce((sum, { lines = 1 }) => sum + lines, 0);
}

/** The same rows, each blank line as one of its own. */
export function singleRows(rows: readonly Row[]): readonly Row[] {
  if (rows.every(({ lines }) => lines === undefined)) return rows;
  return rows.flatMap(({ lines = 1, ...row }) =>
    Array.from({ length: lines }, (_, index) => ({ ...row, line: row.line + index })),
  );
}

/** The disposition of a row, set by staging and never changed later. */
export const DISPOSITIONS = [
  'staged',
  'duplicate',
  'amended',
  'invalid',
  'skipped',
  'non-data',
  'blank',
] as const;

export type Disposition = (typeof DISPOSITIONS)[number];

/** Zero of each disposition. */
export function noDispositions(): Record<Disposition, number> {
  return { staged: 0, duplicate: 0, amended: 0, invalid: 0, skipped: 0, 'non-data': 0, blank: 0 };
}

/** True for a formula whose value the workbook doesn't hold. */
export function isUnsavedFormula(cell: Cell | undefined): boolean {
  return typeof cell === 'object' && cell !== null && 'error' in cell && cell.error === UNSAVED_FORMULA;
}

/** A cell of which a part is struck through: its author withdrew it, and the rest may be incomplete. */
export interface StruckCell {
  readonly error: string;
  readonly struck: string;
}

/** True for a date of a workbook. */
export function isDateCell(cell: Cell | undefined): cell is { readonly date: string } {
  return typeof cell === 'object' && cell !== null && 'date' in cell;
}

/** True for a cell of which a workbook strikes something through. */
export function isStruck(cell: Cell | undefined): cell is StruckCell {
  return typeof cell === 'object' && cell !== null && 'struck' in cell;
}

/** The cell struck through as a whole; an empty one and a formula without a saved value stay as they are. */
export function struckCell(cell: Cell): Cell {
  if (isBlankCell(cell) || isUnsavedFormula(cell)) return cell;
  const text = cellText(cell);
  return { error: text, struck: `~~${text}~~` };
}

/** True when the cell holds nothing a person would see. */
export function isBlankCell(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && isBlankText(cell));
}

/** True when every cell is blank. */
export function isBlankRow(cells: readonly Cell[]): boolean {
  return cells.every(isBlankCell);
}

/** How many cells a row has beyond its header, without the blank ones at the end; of an erased row none. */
export function extraCells(cells: readonly Cell[] | null, header: readonly string[]): number {
  const last = cells?.findLastIndex((cell) => !isBlankCell(cell)) ?? -1;
  return Math.max(0, last + 1 - header.length);
}

/** The cell as a person would read it in one line; '' for an empty one. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'object') return String(cell);
  if ('percent' in cell) return `${cell.percent}%`;
  return 'date' in cell ? cell.date : cell.error;
}

/** The cell's text and, where something is struck through, what is left without it: either may name a person. */
export function possibleTexts(cell: Cell | undefined): readonly string[] {
  return isStruck(cell) ? [cell.error, cell.struck.replace(/~~.*?~~/gs, '')] : [cellText(cell)];
}

/** The text of a cell for its correction: struck-through text is between ~~. */
export function textToCorrect(cell: Cell | undefined): string {
  return isStruck(cell) ? cell.struck : cellText(cell);
}

/** White space and the characters that are invisible: zero-width ones, joiners, the byte-order mark. */
function isBlankText(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text begins with a visible ASCII character, and this is tested for every cell.
  if (first > 0x20 && first < 0x7f) return false;
  return /^[\s\u200b-\u200f\u2060\ufeff\u00ad]*$/u.test(text);
}

/** The number of data rows: titles, headers, totals and blank lines don't count. */
export function dataRows(dispositions: Readonly<Record<Disposition, number>>): number {
  return DISPOSITIONS.reduce(
    (sum, name) => (name === 'non-data' || name === 'blank' ? sum : sum + dispositions[name]),
    0,
  );
}
