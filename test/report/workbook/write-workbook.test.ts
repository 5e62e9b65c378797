import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { openDrop } from '../../../src/intake/open-drop.js';
import type { Sheet, SheetValue } from '../../../src/report/workbook/sheet.js';
import { writeWorkbook } from '../../../src/report/workbook/write-workbook.js';
import { allRows } from '../../support/open-content.js';
import { tempFolder } from '../../support/temp-folder.js';

const FULL = 'The sheet is full: the rest is in the CSV files.';

const COLUMNS: Sheet['columns'] = [
  { header: 'What', kind: 'text', wraps: true },
  { header: 'How many', kind: 'count' },
  { header: 'Line', kind: 'number', styleName: 'added' },
  { header: 'When (UTC)', kind: 'time' },
];

describe('a workbook', () => {
  it('has texts as texts, counts as numbers and times as dates in UTC', async () => {
    const rows = await writtenRows([
      ['=1+1', 1_234, 7, '2024-03-01T10:30:00.000Z'],
      ['007', 0, 12_345, '2024-07-01T23:59:59.000Z'],
      [null, null, null, null],
      ['', -1, 8, 'never'],
    ]);
    expect(rows).toEqual([
      ['What', 'How many', 'Line', 'When (UTC)'],
      ['=1+1', 1_234, 7, { date: '2024-03-01T10:30:00.000' }],
      ['007', 0, 12_345, { date: '2024-07-01T23:59:59.000' }],
      [null, -1, 8, 'never'],
    ]);
  });

  it('cuts a text that no cell holds', async () => {
    const [, [text] = []] = await writtenRows([['x'.repeat(40_000), null, null, null]]);
    expect(text).toBe(`${'x'.repeat(32_766)}…`);
  });

  it.each([
    [2, ['1', '2']],
    [3, ['1', '2', FULL]],
    [4, ['1', '2', FULL]],
    [500, ['1', '2', FULL]],
  ])('of four lines, given %i rows, says in the last line that it is full', async (count, texts) => {
    const rows = Array.from({ length: count }, (_, index): SheetValue[] => [String(index + 1)]);
    expect((await writtenRows(rows, 4)).slice(1).map(([text]) => text)).toEqual(texts);
  });

  it('with more rows than are looked at first has all of them, in order', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index): SheetValue[] => ['x'.repeat(2_000), index]);
    expect((await writtenRows(rows)).slice(1).map(([, number]) => number)).toEqual(rows.map(([, n]) => n));
  });

  it('is printed as wide as its page', async () => {
    const path = join(tempFolder(), 'a.xlsx');
    writeFileSync(path, '');
    await writeWorkbook(path, [sheetOf([['a']])]);
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.readFile(path);
    const [sheet] = workbook.worksheets;
    expect(sheet?.pageSetup).toMatchObject({ orientation: 'landscape', fitToPage: true, fitToHeight: 0 });
  });

  it('whose file cannot be written fails, and does not wait for ever', async () => {
    const path = join(tempFolder(), 'not there', 'a.xlsx');
    const rows = Array.from({ length: 5_000 }, (): SheetValue[] => ['x'.repeat(1_000)]);
    await expect(writeWorkbook(path, [sheetOf(rows)])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

async function writtenRows(rows: readonly (readonly SheetValue[])[], rowsMax?: number) {
  const path = join(tempFolder(), 'a.xlsx');
  writeFileSync(path, '');
  await writeWorkbook(path, [sheetOf(rows)], rowsMax);
  return (await allRows(await openDrop(path, {}))).map(({ cells }) => cells);
}

function sheetOf(rows: Sheet['rows']): Sheet {
  return { name: 'One', columns: COLUMNS, rows };
}
