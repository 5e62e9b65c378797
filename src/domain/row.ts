/**
 * One cell as the file holds it; null where it is empty. A whole number of more than 15 digits may have lost its last
 * ones. `{percent: 85.5}` is 85.5 %; `date` has no zone; `error` is a workbook's error or `UNSAVED_FORMULA`; `struck`
 * has what a workbook strikes through between ~~: `{error: "ab", struck: "a~~b~~"}`.
 */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly percent: number }
  | { readonly date: string }
  | { readonly error: string; readonly struck?: string };

/** Spreadsheets keep 15 significant digits. */
export const LARGEST_KEPT_INTEGER = 999_999_999_999_999;

/** The `error` of a cell whose formula has no saved value: programs show one that the file doesn't hold. */
export const UNSAVED_FORMULA = 'a formula whose value was not saved';

export interface Row {
  /** The physical line where the record begins, or the sheet's row number; from 1. */
  readonly line: number;
  /** From column A; may be shorter or longer than the header. */
  readonly cells: readonly Cell[];
  /** The sheet doesn't show the row: a filter or a person has hidden it. Absent in all others. */
  readonly isHidden?: boolean;
  /** Indexes of cells with text after the closing quote: their intended content is uncertain. */
  readonly strayQuotes?: readonly number[];
  /** A blank row represents this many blank lines, beginning with its own; absent: one. */
  readonly lines?: number;
}

export function countRows(rows: readonly Pick<Row, 'lines'>[]): number {
  return rows.reduce((sum, { lines = 1 }) => sum + lines, 0);
}

/** Each blank line as a separate row. */
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

export function noDispositions(): Record<Disposition, number> {
  return { staged: 0, duplicate: 0, amended: 0, invalid: 0, skipped: 0, 'non-data': 0, blank: 0 };
}

export function isUnsavedFormula(cell: Cell | undefined): boolean {
  return typeof cell === 'object' && cell !== null && 'error' in cell && cell.error === UNSAVED_FORMULA;
}

export function isDateCell(cell: Cell | undefined): cell is { readonly date: string } {
  return typeof cell === 'object' && cell !== null && 'date' in cell;
}

/** A cell of which a part is struck through: its author withdrew it, and the rest may be incomplete. */
export interface StruckCell {
  readonly error: string;
  readonly struck: string;
}

export function isStruck(cell: Cell | undefined): cell is StruckCell {
  return typeof cell === 'object' && cell !== null && 'struck' in cell;
}

/** Strikes the whole cell through; an empty one and a formula without a saved value stay as they are. */
export function struckCell(cell: Cell): Cell {
  if (isBlankCell(cell) || isUnsavedFormula(cell)) return cell;
  const text = cellText(cell);
  return { error: text, struck: `~~${text}~~` };
}

export function isBlankCell(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && isBlankText(cell));
}

export function isBlankRow(cells: readonly Cell[]): boolean {
  return cells.every(isBlankCell);
}

/** Cells beyond the header, without the blank ones at the end; none of an erased row. */
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

/** With struck-through text, also what is left without it: either may name a person. */
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

/** Titles, headers, totals and blank lines don't count. */
export function dataRows(dispositions: Readonly<Record<Disposition, number>>): number {
  return DISPOSITIONS.reduce(
    (sum, name) => (name === 'non-data' || name === 'blank' ? sum : sum + dispositions[name]),
    0,
  );
}
