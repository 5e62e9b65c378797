import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unescapeFormula } from '../../../src/domain/text/formula-text.js';
import { csvLine } from '../../../src/report/text/csv-line.js';

const risky = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '＝', "'", ' ', ';', '\t', '\r', '\n', ',', '"', '1', '.', 'a'),
  }),
);

describe('a value for a spreadsheet', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 123', "'+49 30 123"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    [' =1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['＝1+1', "'＝1+1"],
    ['－cmd', "'－cmd"],
    ['x;=1+1', "x;'=1+1"],
    [';=1+1', ";'=1+1"],
    ['x; @SUM(A1);＋1', "x;' @SUM(A1);'＋1"],
    ['x\t=1+1', "x\t'=1+1"],
    ['two\n=1+1', "two\n'=1+1"],
    ["x;'=1", "x;''=1"],
    ['-5;-6,5', '-5;-6,5'],
    ['a; b, c\t\td', 'a; b, c\t\td'],
    ["'quoted", "''quoted"],
    ['-5', '-5'],
    ['+3.5', '+3.5'],
    ['-92,5', '-92,5'],
    ['-5 ', "'-5 "],
    ['ada@example.org', 'ada@example.org'],
    ['', ''],
  ])('%j is written as %j', (value, written) => {
    expect(readLine(csvLine([value]))).toEqual([written]);
  });

  it('never begins like a formula unless it is a number, wherever a spreadsheet may cut it', () => {
    fc.assert(
      fc.property(risky, (value) => {
        const [cell = ''] = readLine(csvLine([value]));
        expect(cell).not.toMatch(/^[\t\r]/);
        for (const piece of cell.split(/[;\t\r\n]/)) {
          if (/^\s*[=+\-@＝]/.test(piece)) expect(Number.isNaN(Number(piece.replace(',', '.')))).toBe(false);
        }
      }),
    );
  });
});

describe('a line of CSV', () => {
  it('quotes what would end a cell, leaves nothing for null, and ends with CRLF', () => {
    expect(csvLine(['a,b', 'say "x"', 'two\nlines', null, 7])).toBe('"a,b","say ""x""","two\nlines",,7\r\n');
  });

  it('is read back as what was written, with one apostrophe taken away', () => {
    fc.assert(
      fc.property(fc.array(risky, { minLength: 1 }), (values) => {
        expect(readLine(csvLine(values)).map(unescapeFormula)).toEqual(values);
      }),
    );
  });
});

/** The cells of one line, as another program reads them. */
function readLine(line: string): string[] {
  const [cells = []] = parse(line, { recordDelimiter: '\r\n' });
  return cells;
}
