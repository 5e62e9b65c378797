import type { Row } from '../domain/row.js';
import { inBatches } from './batches.js';
import { CsvDamage, csvParser } from './csv-parser.js';
import type { TextEncoding } from './decide-encoding.js';
import { decodeText } from './decode-text.js';
import type { CsvLayout } from './detect-layout.js';
import { countLineEnds } from './line-counter.js';
import { unreadable } from './unreadable.js';

/**
 * All records of a text file with the physical line each begins on; blank lines come as rows without cells. Throws
 * OperatorError where the text can't be split into records without guessing.
 */
export async function* readCsv(
  path: string,
  encoding: TextEncoding,
  layout: CsvLayout,
): AsyncGenerator<readonly Row[]> {
  let rows: Row[] = [];
  let line = 1;
  const parser = csvParser(layout.delimiter, (fields) => {
    const isSeparatorLine = line === 1 && layout.hasSeparatorLine;
    if (!isSeparatorLine) rows.push({ line, cells: fields.length === 1 && fields[0] === '' ? [] : fields });
    let ends = 1;
    for (const [index, field] of fields.entries()) {
      if (field.length > FIELD_CHARS) throw tooLong(path, line, index + 1);
      if (!field.includes('\n') && !field.includes('\r')) continue;
      if (isSwallowed(field, layout.delimiter)) throw quoteNotClosed(path, line, index + 1);
      ends += countLineEnds(field);
    }
    line += ends;
  });
  try {
    for await (const chunk of decodeText(path, encoding)) {
      await parser.write(chunk);
      yield* inBatches(rows);
      rows = [];
    }
    await parser.end();
    yield* inBatches(rows);
  } catch (error) {
    if (!(error instanceof CsvDamage)) throw error;
    const explain = error.reason === 'quote-not-closed' ? quoteNotClosed : tooLong;
    throw explain(path, line, error.column, error);
  }
}

/** Characters of one field. A text that long is no field, but a file read past a quote that nobody closed. */
const FIELD_CHARS = 1024 * 1024;

/**
 * True for a field that ran over the end of its line until a quote that opens another field: it begins with its own
 * quote, which the parser keeps only when the closing one has text behind it, and goes on with such a quote.
 */
function isSwallowed(field: string, delimiter: string): boolean {
  if (!field.startsWith('"')) return false;
  const rest = field.slice(1);
  return rest
    .split(/\r\n|\n|\r/)
    .some((part, i) => i > 0 && (part.startsWith('"') || part.includes(`${delimiter}"`)));
}

function quoteNotClosed(path: string, line: number, column: number, cause?: unknown) {
  return unreadable(
    path,
    `line ${line}: the quote that opens field ${column} of this record is never closed`,
    'Close the quote, or double it where it belongs to the text.',
    cause,
  );
}

function tooLong(path: string, line: number, column: number, cause?: unknown) {
  return unreadable(
    path,
    `line ${line}: field ${column} of this record is longer than ${FIELD_CHARS} characters`,
    'Look for a quote that is never closed, and check the delimiter.',
    cause,
  );
}
