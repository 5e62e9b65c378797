import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Row } from '../../domain/row.js';
import { countLineEnds } from './line-counter.js';
import { createRecordCutter, type RowSyntax } from './record-cutter.js';

export interface TextRow extends Pick<Row, 'line' | 'lines' | 'strayQuotes'> {
  readonly cells: readonly string[];
}

/** Why a record can't be read; `column` is its field, from 1. */
interface CsvDamage {
  readonly reason: 'quote-open' | 'field-too-long';
  readonly column: number;
}

export interface SplitRows {
  readonly rows: readonly TextRow[];
  /** The rows among `rows` with quotes inside fields, and the very long ones, each with its text: worth a second look. */
  readonly unusual: readonly { readonly row: TextRow; readonly text: string }[];
  /** All rows among `rows` that hold the end of a row within quotes, and others with quotes inside fields. */
  readonly several: readonly TextRow[];
  /** Why the text can't be split any further, and where; `rows` are those before. */
  readonly damage: (CsvDamage & { readonly line: number }) | null;
}

const NO_ROWS: SplitRows = { rows: [], unusual: [], several: [], damage: null };

/** Characters of a row without end. More is an unclosed quote: no export writes rows of this length. */
const LONGEST_ROW_CHARS = 8 * 1024 * 1024;

/** Further successive blank lines are one row: a file of line ends alone would cost as much for each byte as others for each row. */
const SINGLE_BLANKS = 100;

/** From this length on a row gets a second look; the fields of a shorter one can't be too long. */
const LONG_ROW_CHARS = 1024 * 1024;

/**
 * Gives the rows that csv-parse gives, with their lines; a row without any character has no cells. Only rows with quotes inside fields
 * go through csv-parse: cutting is many times faster.
 */
export function createRowSplitter(syntax: RowSyntax) {
  const { rowEnd } = syntax;
  // The text after the last row, in which no row ends, and the later pieces: both are searched once this is as long. With each piece, a
  // row that never ends would be searched from its start.
  let rest = '';
  let next = '';
  let line = 1;
  let blanks = 0;
  return {
    /** Rows that this piece of the text, cut anywhere, and those before it complete; the others come with later pieces. */
    add(text: string): SplitRows {
      next += text;
      const isShort = next.length < rest.length && rest.length + next.length <= LONGEST_ROW_CHARS;
      return isShort ? NO_ROWS : split(rest + next, false);
    },
    end: () => split(rest + next, true),
  };

  function split(text: string, isLast: boolean): SplitRows {
    const rows: MutableRow[] = [];
    const unparsed: LeftRow[] = [];
    const several: TextRow[] = [];
    const cutter = createRecordCutter(text, syntax, isLast);
    for (let record = cutter.next(); record !== null; record = cutter.next()) {
      if (record.end > record.start || !record.isOneLine) blanks = 0;
      else {
        blanks += 1;
        const last = rows.at(-1);
        if (blanks > SINGLE_BLANKS && last !== undefined && last.cells.length === 0) {
          last.lines = (last.lines ?? 1) + 1;
          line += 1;
          continue;
        }
      }
      const row: MutableRow = { line, cells: record.cells ?? [] };
      if (record.cells === null || record.end - record.start >= LONG_ROW_CHARS) {
        unparsed.push({ row, position: rows.length, text: text.slice(record.start, record.end) });
      }
      rows.push(row);
      if (record.isOneLine) line += 1;
      else {
        line += countLineEnds(text.slice(record.start, record.next));
        // Where rows end with a mark, none is known to be of one line, and nearly all are.
        if (rowEnd === null || text.indexOf(rowEnd, record.start) < record.end) several.push(row);
      }
    }
    rest = text.slice(cutter.position());
    next = '';
    return parseLeft(rows, unparsed, several) ?? { rows, unusual: unparsed, several, damage: tooLong() };
  }

  /** Fills in the cells of the rows that are left to csv-parse. @returns null when it could do all of them. */
  function parseLeft(
    rows: readonly TextRow[],
    unparsed: readonly LeftRow[],
    several: readonly TextRow[],
  ): SplitRows | null {
    if (unparsed.length === 0) return null;
    const texts = unparsed.map(({ text }) => text);
    const { records, damage } = parseRecords(texts, syntax);
    const parsed = unparsed.slice(0, records.length);
    for (const [i, { row }] of parsed.entries()) row.cells = records[i] as readonly string[];
    if (damage === null && records.length === unparsed.length) return null;
    const damaged = unparsed[records.length];
    if (damage === null || damaged === undefined) throw new Error('csv-parse ends records elsewhere');
    const sound = rows.slice(0, damaged.position);
    const placed = { ...damage, line: damaged.row.line };
    return {
      rows: sound,
      unusual: parsed,
      several: several.filter((row) => row.line < placed.line),
      damage: placed,
    };
  }

  function tooLong(): SplitRows['damage'] {
    if (rest.length <= LONGEST_ROW_CHARS) return null;
    const { records, damage } = parseRecords([rest], syntax);
    return { reason: 'field-too-long', line, column: damage?.column ?? records[0]?.length ?? 1 };
  }
}

interface MutableRow {
  readonly line: number;
  cells: readonly string[];
  lines?: number;
}

interface LeftRow {
  readonly row: MutableRow;
  /** Its index among all rows of the piece. */
  readonly position: number;
  readonly text: string;
}

/** Records, and why the one after them can't be read; null when all could. */
interface ParsedRecords {
  readonly records: readonly (readonly string[])[];
  readonly damage: CsvDamage | null;
}

/** Splits records, given without their ends, into fields: untrimmed, uncast, quotes inside an unquoted field kept. */
function parseRecords(texts: readonly string[], syntax: RowSyntax): ParsedRecords {
  try {
    return { records: parseAll(texts, syntax), damage: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records: parseAll(texts.slice(0, error.records as number), syntax), damage: damage(error) };
  }
}

function parseAll(texts: readonly string[], syntax: RowSyntax): string[][] {
  const { delimiter, rowEnd, quote } = syntax;
  if (texts.length === 0) return [];
  return parse(texts.join(rowEnd ?? '\n'), {
    delimiter,
    // Without the list the first line's end is taken for all, and lines that end otherwise are merged.
    record_delimiter: rowEnd ?? ['\r\n', '\n', '\r'],
    quote,
    escape: quote,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: LONGEST_ROW_CHARS,
  });
}

function damage(error: CsvError): CsvDamage {
  const column = typeof error.column === 'number' ? error.column + 1 : 1;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return { reason: 'quote-open', column };
  if (error.code === 'CSV_MAX_RECORD_SIZE') return { reason: 'field-too-long', column };
  throw error;
}

interface ExcelField {
  readonly text: string;
  /** The field as written, where text follows its closing quote; null: no text does. */
  readonly odd: string | null;
}

/**
 * Cuts a record into its fields as Excel does: text after a closing quote belongs to the field unchanged (`"Pedro "the" legend"` is
 * `Pedro the" legend"`).
 */
export function excelFields(record: string, { delimiter, quote }: RowSyntax): readonly ExcelField[] {
  const fields: ExcelField[] = [];
  for (let at = 0; ; at += delimiter.length) {
    const start = at;
    let text = '';
    let isOdd = false;
    if (quote !== null && record.startsWith(quote, at)) {
      at += 1;
      while (at < record.length && (record[at] !== quote || record[at + 1] === quote)) {
        if (record[at] === quote) at += 1;
        text += record[at];
        at += 1;
      }
      at += 1;
      isOdd = at < record.length && !record.startsWith(delimiter, at);
    }
    const next = record.indexOf(delimiter, at);
    const end = next < 0 ? record.length : next;
    fields.push({ text: text + record.slice(at, end), odd: isOdd ? record.slice(start, end) : null });
    at = end;
    if (at >= record.length) return fields;
  }
}
