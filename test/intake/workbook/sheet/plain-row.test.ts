import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainRow } from '../../../../src/intake/workbook/sheet/plain-row.js';
import { readSheet } from '../../../support/read-sheet.js';

const some = (...texts: string[]) => fc.constantFrom(...texts);

/** Most are as the one before, as in a real sheet; the others are what a reader in a hurry could take for such. */
const attributes = fc.oneof(
  {
    weight: 8,
    arbitrary: some(' spans="1:2"', ' spans="1:2" x:dyDescent="0.25"', '', ' spans="1:2" hidden="1"'),
  },
  some(
    ...[
      ' ht="1" ht="2"',
      ' a=">"',
      ' a="</row>"',
      " a='1'",
      ' a="&amp;"',
      ' a="&"',
      ' a="<"',
      ' a = "1"',
      ' ',
    ],
    ...[
      ' xmlns="urn:other"',
      ' xmlns="urn:m"',
      ' xmlns:x="urn:m"',
      ' r="3"',
      '/',
      ' a="\n"',
      ' a="\u0001"',
      ' 1="1"',
    ],
  ),
);
const number = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) },
  some('0', '-1', '', 'x', '1.5', '007', '1048576', '1048577', '99999999', ' 3', '1e1'),
);
const content = fc.oneof(
  { weight: 6, arbitrary: some('<c r="A1"><v>1</v></c>', '<c><v>2</v></c><c t="s"><v>1</v></c>') },
  some(
    '',
    'x',
    '<c r="B1"><f>1</f><v>3</v></c>',
    '<y><row r="9"></row></y>',
    '<c r="C1">',
    '</c>',
    '<!-- -->',
  ),
);
const gap = fc.oneof(
  { weight: 8, arbitrary: some('') },
  some('\n', ' ', '<!-- -->', 'x', '</sheetData>', '<row>'),
);
const row = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.tuple(number, attributes, content, gap).map(([r, others, cells, after]) => {
      return `<row r="${r}"${others}>${cells}</row>${after}`;
    }),
  },
  content.map((cells) => `<row>${cells}</row>`),
  content.map((cells) => `<n:row xmlns:n="urn:m" r="8">${cells}</n:row>`),
  content.map((cells) => `<n:row xmlns:n="urn:m" r="8">${cells}</row>`),
  content.map((cells) => `<row spans="1:2" r="8">${cells}</row>`),
  some('<row r="11"/>', '<row r="11" spans="1:2"/>', '<rows r="3"></rows>', '<row r="4"', '</row>'),
);
const sheet = fc
  .array(row, { minLength: 1, maxLength: 5 })
  .map(
    (rows) => `<worksheet xmlns="urn:m" xmlns:x="urn:x"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  );

/** Rows in order, as nearly all sheets have them. */
const ordered = fc
  .array(fc.tuple(attributes, content, gap), { minLength: 1, maxLength: 5 })
  .map((rows) =>
    rows.map(([others, cells, after], i) => `<row r="${i + 1}"${others}>${cells}</row>${after}`).join(''),
  )
  .map((rows) => `<worksheet xmlns="urn:m" xmlns:x="urn:x"><sheetData>${rows}</sheetData></worksheet>`);

describe('plainRow', () => {
  it('makes no difference to what is read, whatever the rows and the cut', () => {
    fc.assert(
      fc.property(fc.oneof(sheet, ordered), fc.nat(), (xml, at) => {
        const expected = readSheet([xml], false);
        const cut = at % xml.length;
        expect(readSheet([xml], true)).toEqual(expected);
        expect(readSheet([xml.slice(0, cut), xml.slice(cut)], true)).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('steps to a row whose tag differs from the one before in its number alone', () => {
    const text = '<row r="1" spans="1:2"></row><row r="23" spans="1:2"><c/></row><row r="24" spans="1:3">\0';
    const row = plainRow();
    row.remember(text, 0);
    row.open();
    const after = row.step(text, text.indexOf('</row>'));
    expect(row.line).toBe(23);
    expect(text.slice(after)).toMatch(/^<c\/>/);
    expect(row.step(text, text.lastIndexOf('</row>'))).toBe(-1);
  });

  it.each([
    ['it has not seen', ['<row r="1">', '<n:row>']],
    ['may be of another vocabulary', ['<row r="1" xmlns="urn:other">']],
    ['is empty', ['<row r="1"/>']],
  ])('knows no step from a row whose tag %s', (_, tags) => {
    const row = plainRow();
    row.remember(`${tags[0]}\0`, 0);
    for (const _ of tags) row.open();
    expect(row.step(`</row>${tags[0]}\0`, 0)).toBe(-1);
  });

  it.each([
    ['whose tag seems to end early', '<row r="1" a=">"></row><row r="2" a="></row>'],
    ['beyond the last', '<row r="1048576"><c><v>1</v></c></row><row r="1048577"><c><v>2</v></c></row>'],
    ['out of order', '<row r="2"><c><v>1</v></c></row><row r="1"><c><v>2</v></c></row>'],
  ])('leaves a row %s to the parser', (_, rows) => {
    const xml = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    const refusal = readSheet([xml], false);
    expect(refusal).toEqual(expect.any(String));
    expect(readSheet([xml], true)).toBe(refusal);
  });
});
