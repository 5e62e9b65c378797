import type { OperatorError } from '../../domain/operator-error.js';
import type { Row } from '../../domain/row.js';
import { type CellKind, findSwallowed, LINE_END, usualKinds } from '../swallowed-rows.js';
import { unreadable } from '../unreadable.js';
import { decodeText, type TextEncoding } from './encoding/decide-encoding.js';
import { countLineEnds } from './line-counter.js';
import type { RowSyntax } from './record-cutter.js';
import { createRowSplitter, excelFields, type SplitRows, type TextRow } from './split-rows.js';

/**
 * All records of a text file; blank lines are rows without cells. Throws OperatorError where the text can't be split into records
 * without guessing, after all records before that.
 */
export async function* readCsv(
  path: string,
  encoding: TextEncoding,
  layout: CsvLayout,
): AsyncGenerator<readonly Row[]> {
  const splitter = createRowSplitter(layout);
  function* sound(split: SplitRows): Generator<readonly Row[]> {
    const fault = findFault(path, split, layout);
    const before = fault === null ? split.rows : split.rows.slice(0, fault.position);
    const rows = split.unusual.length === 0 ? before : inExcelsWay(before, split.unusual, layout);
    if (rows.length > 0) yield rows;
    if (fault !== null) throw fault.error;
  }
  for await (const text of decodeText(path, encoding)) yield* sound(splitter.add(text));
  yield* sound(splitter.end());
}

/**
 * Reads fields with text after their closing quote as Excel does. In a row with an unusual number of cells such a field may have
 * swallowed a delimiter: then it stays as written.
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
    const fields = excelFields(record, layout);
    if (fields.length !== row.cells.length || fields.every(({ odd }) => odd === null)) return row;
    const isUsual = layout.usualCells === null || layout.usualCells === fields.length;
    const cells = fields.map(({ text, odd }) => (isUsual ? text : (odd ?? text)));
    const strayQuotes = fields.flatMap(({ odd }, index) => (odd === null ? [] : [index]));
    return { line: row.line, cells, strayQuotes };
  });
}

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
      const isTooLong = field.length > FIELD_CHARS;
      if (!isTooLong && !isSwallowed(field, syntax)) continue;
      const place = { line: row.line, column: index + 1, most: FIELD_CHARS };
      const error = unreadable(path, isTooLong ? 'field-too-long' : 'quote-open', place);
      return { error, position: rows.indexOf(row) };
    }
  }
  if (damage === null) return null;
  const { reason, line, column } = damage;
  return { error: unreadable(path, reason, { line, column, most: FIELD_CHARS }), position: rows.length };
}

/** Most characters of one field. A longer text is no field, but a file read past an unclosed quote. */
const FIELD_CHARS = 1024 * 1024;

/** True for a field that ran over the end of its line until a quote that opens another field. */
function isSwallowed(field: string, syntax: RowSyntax): boolean {
  const { quote } = syntax;
  if (quote === null || !field.startsWith(quote)) return false;
  const [, ...swallowed] = field.slice(1).split(syntax.rowEnd ?? /\r\n|\n|\r/);
  // The line's own end remains after a mark.
  return swallowed.some(
    (part) =>
      part.replace(/^(?:\r\n|\n|\r)/, '').startsWith(quote) || part.includes(`${syntax.delimiter}${quote}`),
  );
}

/** The error of a row in which a stray quote has swallowed the rows after it; null for any other row. */
function swallowed(path: string, { line, cells }: TextRow, layout: CsvLayout): OperatorError | null {
  const { delimiter, usualCells, usualKinds } = layout;
  const width = usualCells ?? cells.length;
  const field = findSwallowed(cells, { width, delimiter, usualKinds, rowEnd: layout.rowEnd ?? LINE_END });
  if (field === null) return null;
  const opens = line + field.linesBefore;
  return unreadable(path, 'rows-swallowed', {
    line: opens,
    column: field.index + 1,
    last: opens + field.lines,
  });
}

/** How a text file is laid out, as far as its beginning shows. */
interface CsvLayout extends RowSyntax {
  /** How many cells most of the first rows have, without blank lines and rows of one cell; null: there are no other rows. */
  readonly usualCells: number | null;
  /** What these rows have in each of so many columns. */
  readonly usualKinds: readonly CellKind[];
}

/** How a text is divided, with the delimiter where the source declares it. */
type Declared = Omit<RowSyntax, 'delimiter'> & Partial<Pick<RowSyntax, 'delimiter'>>;

/** The declared delimiter wins, then the one of a `sep=` line, then the one under which neighbouring records have as many fields. */
export function detectLayout(text: string, { delimiter: declared, ...others }: Declared): CsvLayout {
  const separator = /^"?sep=(\t|[^\w\s"])"?(?:[\r\n]|$)/i.exec(text)?.[1];
  const delimiter = declared ?? separator ?? detectDelimiter(text, others);
  const syntax = { delimiter, ...others };
  const rows = firstRecords(text, syntax);
  const width = usualCells(rows);
  return {
    ...syntax,
    usualCells: width,
    usualKinds: usualKinds(
      rows.filter(({ length }) => length === width),
      width ?? 0,
    ),
  };
}

/** Of equals the earlier wins: prose and decimal numbers hold commas as well. */
export const DELIMITERS = ['\t', ';', '|', ','] as const;

/** The delimiter reported for a text without any. */
const NO_DELIMITER = ',';

const SAMPLE_RECORDS = 50;

function usualCells(rows: readonly (readonly string[])[]): number | null {
  const counts = new Map<number, number>();
  for (const { length: width } of rows) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}

function detectDelimiter(text: string, others: Omit<RowSyntax, 'delimiter'>): string {
  let best = { delimiter: NO_DELIMITER, agreeing: 0, fields: 0 };
  for (const delimiter of DELIMITERS) {
    const widths = firstRecords(text, { delimiter, ...others }).map(({ length }) => length);
    // Neighbours are compared, so that reports of several tables count, and titles and data split by a decimal comma don't.
    const isAgreeing = (width: number, i: number) =>
      width > 1 && (widths[i - 1] === width || widths[i + 1] === width);
    const agreeing = widths.filter(isAgreeing).length / widths.length;
    const fields = widths.reduce((sum, width) => sum + width - 1, 0);
    // Where no two records agree, the delimiter that occurs most is taken.
    if (agreeing > best.agreeing || (agreeing === 0 && best.agreeing === 0 && fields > best.fields)) {
      best = { delimiter, agreeing, fields };
    }
  }
  return best.delimiter;
}

/** The fields of the first records that aren't blank lines; the sample may end inside quotes. */
function firstRecords(text: string, syntax: RowSyntax): readonly (readonly string[])[] {
  const splitter = createRowSplitter(syntax);
  return [splitter.add(text), splitter.end()]
    .flatMap(({ rows }) => rows.map(({ cells }) => cells))
    .filter(({ length }) => length > 0)
    .slice(0, SAMPLE_RECORDS);
}

/**
 * The mark `!##!` of SAP SuccessFactors Learning's connectors where the first line ends with it; else null. Throws where only a later
 * line does: then it is unclear where rows end.
 */
export function detectRowEnd(path: string, text: string): string | null {
  if (FIRST.test(text)) return MARK;
  const later = LATER.exec(text);
  if (later === null) return null;
  const line = countLineEnds(text.slice(0, later.index)) + 1;
  throw unreadable(path, 'row-ends-differ', { line, mark: MARK });
}

const MARK = '!##!';

/** A line with the mark at its end; or no line at all, because every row ends with nothing but the mark. */
const FIRST = /^[^\r\n]*!##!(?:[\r\n]|[^\r\n]*$)/;
const LATER = /!##![ \t]*[\r\n]/;
