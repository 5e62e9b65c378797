import { type Cell, isBlankCell, isBlankRow } from '../../domain/row.js';
import { parseDateText, USUAL_DATES } from '../time/parse-date-text.js';
import { readEmail } from '../values/email.js';
import { statusWordIn } from '../values/status.js';
import { trimText } from '../values/trim-text.js';

/** How many rows below a header are read to find out what its columns hold; the same wherever the header is read again. */
export const SAMPLE_ROWS = 30;

/**
 * The values of one column in the first rows, without blank cells and without rows with less than half as many values as other
 * rows: totals and notes.
 */
export function sampleValues(sample: readonly (readonly Cell[])[], index: number): readonly Cell[] {
  return rowsOfData(sample).flatMap((row) => {
    const cell = row[index] ?? null;
    return isBlankCell(cell) ? [] : [cell];
  });
}

/** Computed once for a sample: a sheet may have thousands of columns that need it. */
function rowsOfData(sample: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const known = ROWS_OF_DATA.get(sample);
  if (known !== undefined) return known;
  const rows = sample.filter((row) => !isBlankRow(row)).slice(0, SAMPLE_ROWS);
  const filled = rows.map((row) => row.filter((cell) => !isBlankCell(cell)).length);
  const most = Math.max(0, ...filled);
  const data = rows.filter((_, at) => (filled[at] ?? 0) * 2 >= most);
  ROWS_OF_DATA.set(sample, data);
  return data;
}

const ROWS_OF_DATA = new WeakMap<readonly (readonly Cell[])[], readonly (readonly Cell[])[]>();

/** True where each value is an e-mail address, and there is one. */
export function areAddresses(values: readonly Cell[]): boolean {
  return values.length > 0 && values.every(isAddress);
}

/** True where each value is a time that can be read once order and zone are known, and there is one. */
export function areTimes(values: readonly Cell[]): boolean {
  return (
    values.length > 0 &&
    values.every((cell) => {
      if (typeof cell === 'object' && cell !== null) return 'date' in cell;
      return typeof cell === 'string' && 'date' in parseDateText(trimText(cell), TWO_DIGITS_TOO);
    })
  );
}

/** True where each value is a word of the status vocabulary, and there is one. */
export function areStatusWords(values: readonly Cell[]): boolean {
  return values.length > 0 && values.every((cell) => statusWordIn(cell) !== null);
}

/** A year of two digits is asked about, and still one of a time. */
const TWO_DIGITS_TOO = { ...USUAL_DATES, twoDigitYears: 2000 };

function isAddress(cell: Cell): boolean {
  if (typeof cell !== 'string' || !cell.includes('@')) return false;
  const reading = readEmail(cell, { column: '' });
  return 'value' in reading && reading.value !== null;
}
