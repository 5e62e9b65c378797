import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSheet } from '../../../support/read-sheet.js';
import { samples } from '../../../support/samples.js';

const some = (...texts: string[]) => fc.constantFrom(...texts);
const attribute = fc.oneof(
  { weight: 4, arbitrary: some(' r="A1"', ' r="B1"', ' r="C1"', ' r="XFD1"') },
  { weight: 4, arbitrary: some(' s="0"', ' s="1"', ' s="2"', ' s="3"', ' s="99"') },
  {
    weight: 4,
    arbitrary: some(...['s', 'n', 'b', 'e', 'd', 'str', 'inlineStr'].map((type) => ` t="${type}"`)),
  },
  some(' r="c1"', ' r=""', ' r="XFE1"', ' r="1"', ' r="A"', ' r="$A$1"', " r='B1'", ' r = "B1"', '\nr="B1"'),
  some(
    ' s="x"',
    ' s="-1"',
    ' s="1234567890123456789"',
    ' s=""',
    ' t="zz"',
    ' t=""',
    ' cm="1"',
    ' x:r="C1"',
    ' q',
  ),
);
const value = fc.oneof(
  some(
    '1',
    '0',
    '-1',
    '1.5',
    '-0',
    '007',
    '0.1',
    '2.50',
    '45352.4375',
    '123456789012345',
    '1234567890123.456',
  ),
  some(
    '2',
    '3',
    '-',
    '.',
    '.5',
    '5.',
    '1.2.3',
    '1e3',
    '1E-7',
    '+1',
    ' 1 ',
    '1 2',
    '',
    ' ',
    'x',
    '#N/A',
    'true',
  ),
  some('9007199254740993', '1234567890123456', '0.1234567890123456', '99999999999999999999', '2024-03-01'),
  some(
    'a&amp;b',
    '&#49;',
    'a]b',
    ']]>',
    ']]&gt;',
    'a > b',
    '_x0041_',
    '漢',
    'a\nb',
    '\u0001',
    '\uffff',
    '<',
    '&x;',
  ),
  fc.double({ noNaN: true }).map(String),
);
const content = fc.oneof(
  { weight: 8, arbitrary: value.map((text) => `<v>${text}</v>`) },
  { weight: 2, arbitrary: value.map((text) => `<is><t>${text}</t></is>`) },
  value.map((text) => `<is><t xml:space="preserve">${text}</t></is>`),
  value.map((text) => `<f>1</f><v>${text}</v>`),
  value.map((text) => `<is><r><t>${text}</t></r><rPh><t>x</t></rPh></is>`),
  some('', '<v/>', ' ', '<e:v xmlns:e="urn:e">1</e:v>', '<v>1</v><v>2</v>', '<v>1', '</v>', '<!-- -->'),
);
const cell = fc
  .tuple(fc.array(attribute, { maxLength: 3 }), content, some('', '', '', '\n', ' '))
  .map(([attributes, inner, gap]) => {
    return inner === '' ? `<c${attributes.join('')}/>${gap}` : `<c${attributes.join('')}>${inner}</c>${gap}`;
  });
const usual = fc.oneof(
  value.map((text) => `<c s="1"><v>${text}</v></c>`),
  value.map((text) => `<c t="str"><v>${text}</v></c>`),
  value.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`),
);
const row = fc
  .tuple(some(' r="1"', ' r="1"', ''), fc.array(fc.oneof(cell, usual), { maxLength: 5 }))
  .map(([attributes, cells]) => `<row${attributes}>${cells.join('')}</row>`);
const sheet = fc
  .tuple(
    row,
    some(
      '',
      '<row r="9"><c r="A9"><v>1</v></c></row>',
      '<c r="A1"><v>5</v></c>',
      '<ext><c><v>6</v></c></ext>',
    ),
  )
  .map((rows) => `<worksheet xmlns="urn:m"><sheetData>${rows.join('')}</sheetData></worksheet>`);

describe('the short cut for plain cells', () => {
  it('makes no difference to what is read, whatever the cell and the cut', () => {
    fc.assert(
      fc.property(sheet, fc.nat(), (xml, at) => {
        const expected = readSheet([xml], false);
        const cut = at % xml.length;
        expect(readSheet([xml], true)).toEqual(expected);
        expect(readSheet([xml.slice(0, cut), xml.slice(cut)], true)).toEqual(expected);
      }),
      { numRuns: samples(3_000) },
    );
  });
});
