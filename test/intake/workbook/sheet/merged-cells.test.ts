import { describe, expect, it } from 'vitest';
import { lines, openContent, openWorkbookOf } from '../../../support/open-content.js';
import { workbookParts } from '../../../support/workbook-parts.js';
import { writeZip } from '../../../support/write-zip.js';

const cell = (reference: string, value: string) =>
  `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;

/** Rows of three columns, each cell with its reference as its text. */
const grid = (rows: number) =>
  Array.from({ length: rows }, (_, i) => {
    const cells = ['A', 'B', 'C'].map((column) => cell(`${column}${i + 1}`, `${column}${i + 1}`));
    return `<row r="${i + 1}">${cells.join('')}</row>`;
  }).join('');

const merging = (...ranges: readonly string[]) =>
  `<mergeCells count="${ranges.length}">${ranges.map((range) => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`;

const sheetOf = (rows: string, ...ranges: readonly string[]) =>
  openWorkbookOf({ sheets: [{ rows, after: merging(...ranges) }] });

describe('cells under a merge', () => {
  it.each([
    [
      'across',
      ['B1:C1'],
      [
        [1, ['A1', 'B1']],
        [2, ['A2', 'B2', 'C2']],
        [3, ['A3', 'B3', 'C3']],
      ],
    ],
    [
      'down',
      ['A1:A2'],
      [
        [1, ['A1', 'B1', 'C1']],
        [2, [null, 'B2', 'C2']],
        [3, ['A3', 'B3', 'C3']],
      ],
    ],
    [
      'both ways, and written from its end',
      ['C2:A1'],
      [
        [1, ['A1']],
        [3, ['A3', 'B3', 'C3']],
      ],
    ],
    [
      'of several merges',
      ['B2:C3', 'A1:C1'],
      [
        [1, ['A1']],
        [2, ['A2', 'B2']],
        [3, ['A3']],
      ],
    ],
    [
      'of one cell is the cell',
      ['B2'],
      [
        [1, ['A1', 'B1', 'C1']],
        [2, ['A2', 'B2', 'C2']],
        [3, ['A3', 'B3', 'C3']],
      ],
    ],
  ])('%s is not read', async (_, ranges, expected) => {
    expect(await lines(await sheetOf(grid(3), ...ranges))).toEqual(expected);
  });

  it('is not read in UTF-16 and with a prefix either', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-16"?><x:worksheet xmlns:x="urn:main"><x:sheetData>${grid(1).replaceAll(/<(\/?)/g, '<$1x:')}</x:sheetData><x:mergeCells><x:mergeCell ref="A1:B1"/></x:mergeCells></x:worksheet>`;
    const parts = workbookParts({ sheets: [{ xml: Buffer.from(`\ufeff${xml}`, 'utf16le') }] });
    expect(await lines(await openContent(writeZip(parts)))).toEqual([[1, ['A1', null, 'C1']]]);
  });

  it('is distinguished from a text about merges', async () => {
    const speaks = '&lt;mergeCell ref="A1:C1"/>';
    const rows = `<row r="1">${cell('A1', 'a')}${cell('B1', speaks)}${cell('C1', 'c')}</row>`;
    const expected = [[1, ['a', '<mergeCell ref="A1:C1"/>', 'c']]];
    expect(await lines(await openWorkbookOf({ sheets: [{ rows }] }))).toEqual(expected);
    const after = "<mergeCells count='1'><mergeCell  x='1'  ref = 'A1:B1' /></mergeCells>";
    expect(await lines(await openWorkbookOf({ sheets: [{ rows, after }] }))).toEqual([[1, ['a', null, 'c']]]);
  });

  it('is found wherever the part is cut when it is unpacked', async () => {
    for (let length = 523_860; length < 524_300; length += 6) {
      const rows = `<row r="1">${cell('A1', 'a')}${cell('B1', 'b')}</row><!--${'x'.repeat(length)}-->`;
      expect(await lines(await sheetOf(rows, 'A1:B1'))).toEqual([[1, ['a']]]);
    }
  });
});
