import { CsvError, Parser } from 'csv-parse';

/** A CSV parser that is fed by hand; both calls reject with `CsvDamage`. */
export interface CsvParser {
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
}

/** Why a record can't be read; `column` is its field, from 1. */
export class CsvDamage extends Error {
  readonly reason: 'quote-not-closed' | 'record-too-long';
  readonly column: number;

  constructor(reason: CsvDamage['reason'], column: number, cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
    this.column = column;
  }
}

/** Characters of one record. More is a quote that nobody closed: no export writes lines of this length. */
const RECORD_CHARS = 8 * 1024 * 1024;

/**
 * Turns UTF-8 bytes without byte-order mark into records, each handed over as it is complete. Fields are the text
 * as it stands: untrimmed, uncast, quotes inside an unquoted field kept, records of any length, an empty line
 * as one empty field.
 */
export function csvParser(delimiter: string, onRecord: (fields: readonly string[]) => void): CsvParser {
  const parser = new Parser({
    delimiter,
    // Without the list the first line's end is taken for all, and lines that end otherwise are merged.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: RECORD_CHARS,
    on_record: (fields: string[]) => {
      onRecord(fields);
      // csv-parse builds an error with a copy of its state for each record of another length than the first, even
      // if allowed; below a title line that is five times the work. It takes the length anew after record 0.
      info.records = 0;
      return null;
    },
  });
  const info: { records: number } = parser.info;
  // The same error also comes through the callbacks below.
  parser.on('error', () => undefined);
  return {
    write: (chunk) => settled((done) => parser.write(chunk, done)),
    end: () => settled((done) => parser.end(done)),
  };
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(damage(error)) : resolve()));
  });
}

function damage(error: Error): Error {
  if (!(error instanceof CsvError)) return error;
  const column = typeof error.column === 'number' ? error.column + 1 : 1;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return new CsvDamage('quote-not-closed', column, error);
  if (error.code === 'CSV_MAX_RECORD_SIZE') return new CsvDamage('record-too-long', column, error);
  return error;
}
