import { CsvError, Parser } from 'csv-parse';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countLineEnds } from '../../../src/intake/text/line-counter.js';
import type { RowSyntax } from '../../../src/intake/text/record-cutter.js';
import { createRowSplitter, type SplitRows } from '../../../src/intake/text/split-rows.js';
import { samples } from '../../support/samples.js';

/** What a reader makes of a text: rows with their lines, and where it had to stop. */
interface Outcome {
  readonly rows: readonly (readonly [line: number, cells: readonly string[]])[];
  readonly stoppedAt: number | null;
}

/** All of the text through csv-parse, piece by piece. */
async function byCsvParse(pieces: readonly string[], syntax: RowSyntax): Promise<Outcome> {
  const { delimiter, rowEnd, quote = '"' } = syntax;
  const rows: (readonly [number, readonly string[]])[] = [];
  const ends = ['\r\n', '\n', '\r'];
  let line = 1;
  const parser = new Parser({
    delimiter,
    quote,
    escape: quote,
    record_delimiter: rowEnd === null ? ends : [...ends.map((end) => `${rowEnd}${end}`), rowEnd],
    relax_quotes: true,
    relax_column_count: true,
    on_record: (fields: string[]) => {
      rows.push([line, fields]);
      line += 1 + fields.reduce((sum, field) => sum + countLineEnds(field), 0);
      return null;
    },
  });
  parser.on('error', () => undefined);
  const done = (start: (then: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
  try {
    for (const piece of pieces) await done((then) => parser.write(Buffer.from(piece), then));
    await done((then) => parser.end(then));
    return { rows, stoppedAt: null };
  } catch (error) {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    return { rows, stoppedAt: line };
  }
}

function bySplitter(pieces: readonly string[], syntax: RowSyntax): Outcome {
  const splitter = createRowSplitter(syntax);
  const split: SplitRows[] = [...pieces.map(splitter.add), splitter.end()];
  return {
    rows: split.flatMap(({ rows }) =>
      rows.map(({ line, cells }) => [line, cells.length === 0 ? [''] : cells] as const),
    ),
    stoppedAt: split.find(({ damage }) => damage)?.damage?.line ?? null,
  };
}

/** A text of few signs, so that all their neighbourhoods occur, cut anywhere. */
function cutTexts(signs: readonly string[]): fc.Arbitrary<readonly string[]> {
  const piece = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((parts) => parts.join(''));
  return fc.array(piece, { maxLength: 5 });
}

const ANY_SIGN = ['a', 'é', ' ', ',', ';', '"', '"', '\n', '\r', '\r\n'];

/** Fields with a quote only here and there, as exports have them. */
const EXPORT_SIGN = ['a', 'b c', ',', ',', '\n', '\r\n', ',"', '",', '"\n', '\n"', '","', '""', 'é'];

const USUAL = { delimiter: ',', quote: '"', rowEnd: null } as const;

describe('the row splitter', () => {
  it.each([
    ['any signs', ANY_SIGN],
    ['signs of exports', EXPORT_SIGN],
  ])('gives the rows, lines and end of csv-parse for any text, however cut: %s', async (_, signs) => {
    await fc.assert(
      fc.asyncProperty(cutTexts(signs), fc.constantFrom(',', ';', 'a'), async (pieces, delimiter) => {
        const syntax = { ...USUAL, delimiter };
        expect(bySplitter(pieces, syntax)).toEqual(await byCsvParse(pieces, syntax));
      }),
      { numRuns: samples(3_000) },
    );
  });

  it.each([
    ['another quote', { delimiter: ',', quote: "'" }],
    ['no quotes', { delimiter: ',', quote: null }],
    ['a rare delimiter', { delimiter: '^' }],
    ['a delimiter of two characters', { delimiter: '||' }],
  ])('splits rows as csv-parse does, with %s', async (_, options) => {
    const signs = [...ANY_SIGN, "'", "'", '^', '||', '||', '|'];
    await fc.assert(
      fc.asyncProperty(cutTexts(signs), async (pieces) => {
        const syntax = { ...USUAL, ...options };
        expect(bySplitter(pieces, syntax)).toEqual(await byCsvParse(pieces, syntax));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['any signs', [...ANY_SIGN, '!##!', '!##!', '!', '#']],
    ['rows', ['a\nb', ',', '!##!\n', '!##!\r\n', '!##!', ',"', '"!##!', '",', '""', '\n']],
  ])('splits rows as csv-parse does where they end with a mark: %s', async (_, signs) => {
    await fc.assert(
      fc.asyncProperty(cutTexts(signs), async (pieces) => {
        const syntax = { ...USUAL, rowEnd: '!##!' };
        const { rows, stoppedAt } = bySplitter(pieces, syntax);
        const expected = await byCsvParse(pieces, syntax);
        expect(rows.map(([, cells]) => cells)).toEqual(expected.rows.map(([, cells]) => cells));
        expect(stoppedAt === null).toBe(expected.stoppedAt === null);
      }),
      { numRuns: samples(3_000) },
    );
  });
});
