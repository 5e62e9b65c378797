import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import { cellText } from '../../src/domain/row.js';
import { isClippedFrom } from '../../src/domain/text/clipped-text.js';
import { unescapeFormula } from '../../src/domain/text/formula-text.js';
import { openDrop } from '../../src/intake/open-drop.js';
import { dropsIn } from '../../src/ledger/books/files/drop-list.js';
import { writeCorrectionWorkbook } from '../../src/report/corrections/write-correction-workbook.js';
import { reconcile } from '../../src/report/report.js';
import { attentionCsv, attentionTable } from '../../src/report/write-drop-csv.js';
import { stageContent } from '../staging/staging-bench.js';
import { allRows } from '../support/open-content.js';
import { samples } from '../support/samples.js';
import { testLedger } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

/** Characters and prefixes with a meaning in spreadsheets, CSV or XML. */
const PIECES = [
  '=',
  '+',
  '-',
  '@',
  "'",
  '\t',
  '\r',
  '\n',
  '\r\n',
  ',',
  ';',
  '"',
  '<',
  '&',
  ']]>',
  ' ',
  '\u00a0',
];
const ESCAPES = [
  '_x000D_',
  '_x005F_',
  '_x0041_x0042_',
  '_xd800_',
  '\u0001',
  '\u001f',
  '\u007f',
  '\ufffe',
  '😀',
];
const NUMBERS = ['007', '12345678901234567', '1e5', '-5', '1.50', 'TRUE', '#N/A', '2024-03-01', '=1+1'];
const text = fc.oneof(
  fc
    .array(fc.constantFrom(...PIECES, ...ESCAPES, ...NUMBERS, 'a'), { maxLength: 6 })
    .map((all) => all.join('')),
  // A workbook shows NUL as ␀.
  fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
);

describe('the attention files', () => {
  it('say the same, and what they say is what was read, whatever the cells hold', async () => {
    const width = 3;
    const rows = fc.array(fc.array(text, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const { table, csv, sheet } = await writtenAndRead(csvOf(cells));
        expect(csv.map((row) => row.map(unescapeFormula))).toEqual([
          [...table.original, ...table.added],
          ...(await collected(table.rows())),
        ]);
        const isOf = (name: string) => ['Email', 'Course ID', 'Completed on', '_row', '_drop'].includes(name);
        const [header = []] = csv;
        expect(sheet.map((row) => row.slice(2))).toEqual(
          // The workbook has no sheet for a file of blank rows.
          csv.length === 1
            ? []
            : csv.map((row) => row.map(unescapeFormula).filter((_, index) => isOf(header[index] ?? ''))),
        );
      }),
      // Each has a ledger of its own: many rows cost less than many files.
      { numRuns: samples(8) },
    );
  });

  it('keep identifiers and formulas as text in the workbook', async () => {
    const cells = ['007', '1234567890123456', '=1+1', '+49 30 1', '@x', '-5', '2024-03-01', 'TRUE', '85%'];
    const header = cells.map((_, column) => `C${column}`);
    const { opened } = await writtenAndRead(
      [
        ['Email', 'Course ID', 'Completed on', ...header],
        ['nobody', 'C1', '2024-03-01T08:00:00Z', ...cells],
      ]
        .map((row) => `${row.join(',')}\n`)
        .join(''),
    );
    const [, row] = await allRows(opened, 'Correct academy');
    expect(row?.cells.slice(5, 5 + cells.length)).toEqual(cells);
  });

  it('clip what a cell of a workbook cannot hold, and say where a sheet is full', async () => {
    const long = 'x'.repeat(32_768);
    const notes = ['a', long, 'x'.repeat(32_767), 'd', 'e', 'f'];
    const { csv, sheet } = await writtenAndRead(
      `Note,Email,Course ID,Completed on\n${notes.map((note) => `${note},nobody,C1,2024-03-01T08:00:00Z\n`).join('')}`,
      6,
    );
    expect(csv.map(([note]) => note)).toEqual(['Note', ...notes]);
    const [, , clipped = '', whole, ...rest] = sheet.map((row) => row[2]);
    expect(isClippedFrom(long, clipped)).toBe(true);
    expect([whole, rest]).toEqual(['x'.repeat(32_767), ['d', undefined]]);
    expect(sheet.at(-1)?.[0]).toBe('The sheet is full: the rest is in the CSV files.');
  });

  it('are left out of the workbook as a whole when the header does not fit', async () => {
    const { opened } = await writtenAndRead(
      `${'x'.repeat(32_768)},Email,Course ID,Completed on\n,nobody,C1,2024-03-01T08:00:00Z\n`,
    );
    expect(opened.workbook?.sheets.map(({ name }) => name)).toEqual(['What to do']);
  });
});

describe('the rows of the attention files', () => {
  const attention = async (content: string) => {
    const ledger = testLedger();
    await stageContent(ledger, content);
    const [drop] = await dropsIn(ledger, {});
    if (!drop) throw new Error('nothing was staged');
    return attentionTable(ledger, drop);
  };

  it('have all cells of a row that is longer than the header, behind the columns that are added', async () => {
    const table = await attention(
      'Email,Course ID,Completed on\na@example.org,C1,2024-01-05 08:00:00,more,,and more,\nb@example.org,C1,never\n',
    );
    expect(table.added.slice(-4)).toEqual(['_drop', '', '', '']);
    expect((await collected(table.rows())).map((row) => [row[3], ...row.slice(-3)])).toEqual([
      ['2', 'more', '', 'and more'],
      ['3', '', '', ''],
    ]);
  });
});

/** A text file with these cells below the header, each in quotation marks. */
function csvOf(cells: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) =>
    `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`;
  return ['Email,Course ID,Completed on\r\n', ...cells.map(line)].join('');
}

/** The attention files of a staged file: what the ledger has for them, and their cells as Registrar reads them. */
async function writtenAndRead(content: string, rowsMax?: number) {
  const ledger = testLedger();
  await stageContent(ledger, content);
  const [drop] = await dropsIn(ledger, {});
  if (!drop) throw new Error('nothing was staged');
  const folder = tempFolder();
  const [csvPath, sheetPath] = [join(folder, 'a.csv'), join(folder, 'a.xlsx')];
  const table = await attentionTable(ledger, drop);
  writeFileSync(csvPath, (await collected(attentionCsv(ledger, drop))).join(''));
  writeFileSync(sheetPath, '');
  await writeCorrectionWorkbook(sheetPath, ledger, await reconcile(ledger, {}), null, rowsMax);
  const opened = await openDrop(sheetPath, {});
  const sheet = opened.workbook?.sheets.some(({ name }) => name === 'Correct academy')
    ? (await allRows(opened, 'Correct academy')).map(({ cells }) => cells.map(cellText))
    : [];
  return { table, csv: await textsOf(csvPath), sheet, opened };
}

async function textsOf(path: string): Promise<string[][]> {
  return (await allRows(await openDrop(path, {}))).map(({ cells }) => cells.map(cellText));
}
