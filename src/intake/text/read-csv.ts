import type { OperatorError } from '../../domain/operator-error.js';
import type { Cell, Row } from '../../domain/row.js';
import { findSwallowed, LINE_END } from '../swallowed-rows.js';
import { unreadable } from '../unreadable.js';
import type { CsvLayout } from './detect-layout.js';
import type { TextEncoding } from './encoding/decide-encoding.js';
import { decodeText, NUL_SIGN } from './encoding/decide-encoding.js';
import { quoteOf, type RowSyntax } from './record-cutter.js';
import { createRowSplitter, excelFields, type SplitRows, type TextRow } from './split-rows.js';

/**
 * All records of a text file with the physical line that each begins on; blank lines are rows without cells. Throws OperatorError
 * where the text can't be split into records without guessing, after it has given all records before that.
 */
export async function* readCsv(
  path: string,
  encoding: TextEncoding,
  layout: CsvLayout,
): AsyncGenerator<readonly Row[]> {
  const splitter = createRowSplitter(layout);
  // A NUL may wait for the end of its row in a later piece of the text.
  let hadNul = false;
  function* sound(split: SplitRows): Generator<readonly Row[]> {
    const fault = findFault(path, split, layout);
    const before = fault === null ? split.rows : split.rows.slice(0, fault.position);
    const rows = split.unusual.length === 0 ? before : inExcelsWay(before, split.unusual, layout);
    yield* inBatches(hadNul ? rows.map((row) => ({ ...row, cells: row.cells.map(flagNul) })) : rows);
    if (fault !== null) throw fault.error;
  }
  for await (const text of decodeText(path, encoding)) {
    hadNul ||= text.includes(NUL_SIGN);
    yield* sound(splitter.add(text));
  }
  yield* sound(splitter.end());
}

/**
 * Reads fields with text after their closing quote (`"Pedro "the" legend"`) as Excel does. In a row with another number of cells
 * than other rows, such a field may have swallowed a delimiter: then it stays as written.
 */
function inExcelsWay(
  rows: readonly TextRow[],
  unusual: SplitRows['unusual'],
  layout: CsvLayout,
): readonly TextRow[] {
  const records = new Map(unusual.map(({ row, text }) => [row, text]));
  return rows.map((row) => {
    const record = records.get(row);
    if (record === undefined) return row;
    const { fields } = excelFields(record, layout);
    if (fields.length !== row.cells.length || fields.every(({ odd }) => odd === null)) return row;
    const isUsual = layout.usualCells === null || layout.usualCells === fields.length;
    const cells = fields.map(({ text, odd }) => (isUsual ? text : (odd ?? text)));
    const strayQuotes = fields.flatMap(({ odd }, index) => (odd === null ? [] : [index]));
    return { line: row.line, cells, strayQuotes };
  });
}

function flagNul(field: string): Cell {
  return field.includes(NUL_SIGN) ? { error: field } : field;
}

/** The fault of a row, or of the text after the rows, with the index of the first row that isn't sound. */
function findFault(
  path: string,
  { rows, unusual, several, damage }: SplitRows,
  syntax: CsvLayout,
): { readonly error: OperatorError; readonly position: number } | null {
  for (const row of several) {
    const error = swallowed(path, row, syntax);
    if (error) return { error, position: rows.indexOf(row) };
  }
  for (const { row } of unusual) {
    for (const [index, field] of row.cells.entries()) {
      const explain =
        field.length > FIELD_CHARS ? tooLong : isSwallowed(field, syntax) ? quoteNotClosed : null;
      if (explain) return { error: explain(path, row.line, index + 1, syntax), position: rows.indexOf(row) };
    }
  }
  if (damage === null) return null;
  const explain = damage.reason === 'quote-not-closed' ? quoteNotClosed : tooLong;
  return { error: explain(path, damage.line, damage.column, syntax), position: rows.length };
}

/** Most characters of one field. A longer text is no field, but a file read past an unclosed quote. */
const FIELD_CHARS = 1024 * 1024;

/**
 * True for a field that ran over the end of its line until a quote that opens another field: it begins with its own
 * quote, which the parser keeps only when the closing one has text behind it, and goes on with such a quote.
 */
function isSwallowed(field: string, syntax: RowSyntax): boolean {
  const quote = quoteOf(syntax);
  if (quote === null || !field.startsWith(quote)) return false;
  const [, ...swallowed] = field.slice(1).split(syntax.rowEnd ?? /\r\n|\n|\r/);
  // The line's own end remains after a mark.
  return swallowed.some(
    (part) =>
      part.replace(/^(?:\r\n|\n|\r)/, '').startsWith(quote) || part.includes(`${syntax.delimiter}${quote}`),
  );
}

/** The error of a row in which a stray quote has swallowed the rows behind it; null for any other row. */
function swallowed(path: string, { line, cells }: TextRow, layout: CsvLayout): OperatorError | null {
  const { delimiter, usualCells, usualKinds } = layout;
  const width = usualCells ?? cells.length;
  const found = findSwallowed(cells, { width, delimiter, usualKinds, rowEnd: layout.rowEnd ?? LINE_END });
  if (found === null) return null;
  const opens = line + found.linesBefore;
  return unreadable(
    path,
    `line ${opens}: the quote that opens field ${found.index + 1} ends only in line ${opens + found.lines}, and the lines between are rows of their own`,
    `Close the quote in line ${opens}, or double it where it belongs to the text. ${quoteSetting(layout)}`,
  );
}

function quoteNotClosed(path: string, line: number, column: number, layout: CsvLayout) {
  return unreadable(
    path,
    `line ${line}: the quote that opens field ${column} of this record is never closed`,
    `Close the quote, or double it where it belongs to the text. ${quoteSetting(layout)}`,
  );
}

/** The setting that may mend all quotes of a file, as a sentence. */
function quoteSetting({ hasEscapedQuotes, escape: how }: CsvLayout): string {
  return hasEscapedQuotes && how !== 'backslash'
    ? 'In this file backslashes precede quotes: set escape: backslash for the source.'
    : 'Where quotes are text in all of the file, set quote: none for the source.';
}

function tooLong(path: string, line: number, column: number) {
  return unreadable(
    path,
    `line ${line}: field ${column} of this record is longer than ${FIELD_CHARS} characters`,
    'Look for a quote that is never closed, and check the delimiter.',
  );
}

/** Enough rows that the work per batch doesn't count; few enough to be nothing in memory. */
const BATCH_ROWS = 500;

/** The same rows in batches. */
function* inBatches(rows: readonly Row[]): Generator<readonly Row[]> {
  if (rows.length <= BATCH_ROWS) {
    if (rows.length > 0) yield rows;
    return;
  }
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS);
}
