import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { excelFields } from './excel-fields.js';
import { quoteOf, type RowSyntax } from './record-cutter.js';

/** Why a record can't be read; `column` is its field, from 1. */
export interface CsvDamage {
  readonly reason: 'quote-not-closed' | 'record-too-long';
  readonly column: number;
}

/** Records, and why the one behind them can't be read; null when all could. */
export interface ParsedRecords {
  readonly records: readonly (readonly string[])[];
  readonly damage: CsvDamage | null;
}

/** Characters of one record. More is an unclosed quote: no export writes lines of this length. */
const RECORD_CHARS = 8 * 1024 * 1024;

/**
 * Splits records, given without their ends, into fields. Fields are the text as is: untrimmed, uncast, quotes
 * inside an unquoted field kept, records of any length.
 */
export function parseRecords(texts: readonly string[], syntax: RowSyntax): ParsedRecords {
  // csv-parse knows backslashes within quotes alone.
  if (syntax.escape === 'backslash') return parseEscaped(texts, syntax);
  try {
    return { records: parseAll(texts, syntax), damage: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { records: parseAll(texts.slice(0, error.records as number), syntax), damage: damage(error) };
  }
}

function parseEscaped(texts: readonly string[], syntax: RowSyntax): ParsedRecords {
  const records: string[][] = [];
  for (const text of texts) {
    const { fields, isOpen } = excelFields(text, syntax);
    const tooLong = text.length > RECORD_CHARS;
    if (isOpen || tooLong) {
      const reason = isOpen ? 'quote-not-closed' : 'record-too-long';
      return { records, damage: { reason, column: fields.length } };
    }
    records.push(fields.map(({ text: field, odd }) => odd ?? field));
  }
  return { records, damage: null };
}

function parseAll(texts: readonly string[], syntax: RowSyntax): string[][] {
  const { delimiter, rowEnd } = syntax;
  const quote = quoteOf(syntax);
  if (texts.length === 0) return [];
  return parse(texts.join(rowEnd ?? '\n'), {
    delimiter,
    // Without the list the first line's end is taken for all, and lines that end otherwise are merged.
    record_delimiter: rowEnd ?? ['\r\n', '\n', '\r'],
    quote,
    escape: quote,
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: RECORD_CHARS,
  });
}

function damage(error: CsvError): CsvDamage {
  const column = typeof error.column === 'number' ? error.column + 1 : 1;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return { reason: 'quote-not-closed', column };
  if (error.code === 'CSV_MAX_RECORD_SIZE') return { reason: 'record-too-long', column };
  throw error;
}
