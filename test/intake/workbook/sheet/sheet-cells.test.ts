import { describe, expect, it } from 'vitest';
import { type Row, UNSAVED_FORMULA } from '../../../../src/domain/row.js';
import { clearUnder } from '../../../../src/intake/workbook/sheet/merged-ranges.js';
import { sheetCells } from '../../../../src/intake/workbook/sheet/sheet-cells.js';
import { stopwatch } from '../../../support/growth.js';
import { allRows, lines, openContent, openWorkbookOf } from '../../../support/open-content.js';
import { workbookParts } from '../../../support/workbook-parts.js';
import { writeZip } from '../../../support/write-zip.js';

const UNSAVED = { error: UNSAVED_FORMULA };

/** The rows of a sheet with this content of `sheetData`. */
async function rowsOf(rows: string, spec: Parameters<typeof openWorkbookOf>[0] = {}) {
  return lines(await openWorkbookOf({ ...spec, sheets: [{ rows }] }));
}

describe('the cells of a sheet', () => {
  it.each([
    ['shared text', '<row r="1"><c r="A1" t="s"><v>1</v></c></row>', [[1, ['two']]]],
    [
      'shared rich text as one text',
      '<row r="1"><c r="A1" t="s"><v>2</v></c></row>',
      [[1, ['bold and plain']]],
    ],
    ['shared text without its reading', '<row r="1"><c r="A1" t="s"><v>3</v></c></row>', [[1, ['漢字']]]],
    ['shared text with its spaces', '<row r="1"><c r="A1" t="s"><v>4</v></c></row>', [[1, [' x ']]]],
    [
      'shared text in CDATA, unescaped',
      '<row r="1"><c r="A1" t="s"><v>5</v></c></row>',
      [[1, ['a < b\r\nc']]],
    ],
    ['empty shared text', '<row r="1"><c r="A1" t="s"><v>6</v></c></row>', [[1, ['']]]],
    [
      'inline text',
      '<row r="1"><c r="A1" t="inlineStr"><is><t>in &amp; out</t></is></c></row>',
      [[1, ['in & out']]],
    ],
    [
      'inline rich text',
      '<row r="1"><c r="A1" t="inlineStr"><is><r><t>ri</t></r><r><t>ch</t></r></is></c></row>',
      [[1, ['rich']]],
    ],
    ['inline text without its type', '<row r="1"><c r="A1"><is><t>x</t></is></c></row>', [[1, ['x']]]],
    ['empty inline text', '<row r="1"><c r="A1" t="inlineStr"><is><t/></is></c></row>', [[1, ['']]]],
    [
      'a formula by its result',
      '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>"a"</f><v>a</v></c></row>',
      [[1, [2, 'a']]],
    ],
    ['a formula whose result is 0', '<row r="1"><c r="A1"><f>0</f><v>0</v></c></row>', [[1, [0]]]],
    [
      'a formula whose result is FALSE',
      '<row r="1"><c r="A1" t="b"><f>1=2</f><v>0</v></c></row>',
      [[1, [false]]],
    ],
    ['a formula whose result is ""', '<row r="1"><c r="A1" t="str"><f>""</f><v></v></c></row>', [[1, ['']]]],
    [
      'a formula never calculated as an error that says so',
      '<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><v>1</v></c></row>',
      [[1, [UNSAVED, 1]]],
    ],
    [
      'a formula with an empty value likewise, of whatever type but text',
      '<row r="1"><c r="A1"><f>1+1</f><v></v></c><c r="B1" t="n"><f>1</f><v/></c><c r="C1" t="b"><f>A1=B1</f><v> </v></c></row>',
      [[1, [UNSAVED, UNSAVED, UNSAVED]]],
    ],
    [
      'a text formula without any value likewise',
      '<row r="1"><c r="A1" t="str"><f>Raw!A2</f></c></row>',
      [[1, [UNSAVED]]],
    ],
    [
      'those that share a formula likewise',
      '<row r="1"><c r="A1"><f t="shared" ref="A1:A3" si="0">Raw!A2</f></c></row><row r="2"><c r="A2"><f t="shared" si="0"/></c></row><row r="3"><c r="A3"><f t="shared" si="0"/><v>5</v></c></row>',
      [
        [1, [UNSAVED]],
        [2, [UNSAVED]],
        [3, [5]],
      ],
    ],
    [
      'an array formula of one cell likewise',
      '<row r="2"><c r="A2"><f t="array" ref="A2">Raw!A2</f></c></row>',
      [[2, [UNSAVED]]],
    ],
    [
      'an array formula by its results',
      '<row r="2"><c r="A2"><f t="array" ref="A2:A3">Raw!A2:A3</f><v>1</v></c></row><row r="3"><c r="A3"><v>2</v></c></row>',
      [
        [2, [1]],
        [3, [2]],
      ],
    ],
    [
      'what a program in Java writes for a formula that it has not calculated',
      '<row r="1"><c r="A1" t="n"><f>Raw!A2</f><v>0.0</v></c><c r="B1"><v>0.0</v></c></row>',
      [[1, [UNSAVED, 0]]],
    ],
    [
      'inline text apart from a value beside it',
      '<row r="1"><c r="A1" t="str"><v>a</v><is><t>x</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>',
      [[1, ['a', 'b']]],
    ],
    ['an error', '<row r="1"><c r="A1" t="e"><v>#DIV/0!</v></c></row>', [[1, [{ error: '#DIV/0!' }]]]],
    [
      'a number whose value comes in pieces',
      '<row r="1"><c r="A1"><v>1<!-- x -->2<![CDATA[3]]></v></c></row>',
      [[1, [123]]],
    ],
    ['gaps as empty cells', '<row r="2"><c r="C2"><v>1</v></c></row>', [[2, [null, null, 1]]]],
    [
      'an empty cell as none',
      '<row r="1"><c r="A1"><v>1</v></c><c r="B1" s="1"/><c r="C1"><v></v></c><c r="D1" t="s"><v/></c></row>',
      [[1, [1]]],
    ],
    [
      'rows by their numbers',
      '<row r="3"><c><v>1</v></c></row><row r="7"><c><v>2</v></c></row>',
      [
        [3, [1]],
        [7, [2]],
      ],
    ],
    [
      'cells and rows without references by position',
      '<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>',
      [
        [1, [1, 2]],
        [2, [3]],
      ],
    ],
    [
      'a cell without reference after one with',
      '<row r="1"><c r="C1"><v>1</v></c><c><v>2</v></c></row>',
      [[1, [null, null, 1, 2]]],
    ],
    [
      'a row without number by its cells',
      '<row><c r="B5"><v>1</v></c></row><row><c><v>2</v></c></row>',
      [
        [5, [null, 1]],
        [6, [2]],
      ],
    ],
    [
      'no row of formatting alone',
      '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2" s="1"/></row><row r="3"/>',
      [[1, [1]]],
    ],
    ['a row of empty texts', '<row r="1"><c r="A1" t="str"><v></v></c></row>', [[1, ['']]]],
    [
      'names that mean something to JavaScript',
      '<row r="1"><c r="A1" t="str"><v>__proto__</v></c></row>',
      [[1, ['__proto__']]],
    ],
  ])('give %s', async (_, rows, expected) => {
    const strings =
      '<si><t>one</t></si><si><t>two</t></si><si><r><rPr><b/></rPr><t>bold</t></r><r><t xml:space="preserve"> and plain</t></r></si>' +
      '<si><t>漢字</t><rPh sb="0" eb="2"><t>カンジ</t></rPh><phoneticPr/></si><si><t xml:space="preserve"> x </t></si>' +
      '<si><t><![CDATA[a < b]]>_x000D_\nc</t></si><si><t/></si>';
    expect(await rowsOf(rows, { strings })).toEqual(expected);
  });

  it('have their number format from the style that the cell names', async () => {
    const formats = [22, 'yyyy"/"mm', '0.0%', '00000', '[h]:mm', 10];
    const cells = ['45352.4375', '45352', '0.855', '42', '1.5', '0.5'].map(
      (value, i) => `<c s="${i + 1}"><v>${value}</v></c>`,
    );
    expect(
      await rowsOf(`<row>${cells.join('')}<c s="99"><v>45352</v></c><c s="0"><v>45352</v></c></row>`, {
        formats,
      }),
    ).toEqual([
      [
        1,
        [
          { date: '2024-03-01T10:30:00.000' },
          { date: '2024-03-01T00:00:00.000' },
          { percent: 85.5 },
          '00042',
          1.5,
          { percent: 50 },
          45_352,
          45_352,
        ],
      ],
    ]);
  });

  it.each(['date1904="1"', 'date1904="true"'])(
    'count from 1904 where the workbook says %s',
    async (properties) => {
      const drop = await openWorkbookOf({
        properties,
        formats: [14],
        sheets: [{ rows: '<row><c s="1"><v>43890</v></c></row>' }],
      });
      expect(drop.workbook?.epoch).toBe(1904);
      expect(await lines(drop)).toEqual([[1, [{ date: '2024-03-01T00:00:00.000' }]]]);
    },
  );

  it('are found under any namespace prefix, and not in extensions', async () => {
    const xml =
      '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:e="urn:extension"><x:sheetData>' +
      '<x:row r="1"><x:c r="A1"><x:v>1</x:v><e:v>2</e:v></x:c><e:c r="B1"><x:v>3</x:v></e:c></x:row><e:row r="2"><x:c><x:v>4</x:v></x:c></e:row>' +
      '</x:sheetData></x:worksheet>';
    expect(await lines(await openWorkbookOf({ sheets: [{ xml }] }))).toEqual([[1, [1]]]);
  });

  it.each([
    ['UTF-16LE with mark', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le')],
    ['UTF-16BE with mark', (xml: string) => Buffer.from(`\ufeff${xml}`, 'utf16le').swap16()],
    ['UTF-16LE without mark', (xml: string) => Buffer.from(xml, 'utf16le')],
    ['UTF-8 with mark', (xml: string) => Buffer.from(`\ufeff${xml}`)],
    [
      'a declared encoding',
      (xml: string) => Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${xml}`, 'latin1'),
    ],
  ])('are read from %s', async (_, encode) => {
    const xml = encode('<worksheet><sheetData><row><c t="str"><v>é</v></c></row></sheetData></worksheet>');
    expect(await lines(await openWorkbookOf({ sheets: [{ xml }] }))).toEqual([[1, ['é']]]);
  });

  it.each(['', 'x', 'xx'])('keep characters that lie across the ends of chunks, after %j', async (start) => {
    const text = start + '漢'.repeat(30_000);
    const drop = await openWorkbookOf({
      strings: `<si><t>${text}</t></si>`,
      sheets: [{ rows: `<row><c t="inlineStr"><is><t>${text}</t></is></c><c t="s"><v>0</v></c></row>` }],
    });
    const [row] = await allRows(drop);
    expect(row?.cells.map((cell) => cell === text)).toEqual([true, true]);
  });

  it('are followed by whatever a sheet may hold, at no cost that counts', async () => {
    const readMs = async (merges: number) => {
      const cells = Array.from({ length: merges }, (_, i) => `<mergeCell ref="A${i + 1}:B${i + 1}"/>`);
      const after =
        `<mergeCells>${cells.join('')}</mergeCells><conditionalFormatting sqref="A1:XFD1048576"><cfRule type="expression"><formula>1</formula></cfRule></conditionalFormatting>` +
        '<dataValidations><dataValidation type="list" sqref="A1:XFD1048576"><formula1>"a,b"</formula1></dataValidation></dataValidations>';
      const tookMs = stopwatch();
      const drop = await openWorkbookOf({
        sheets: [{ rows: '<row r="1"><c r="A1"><v>1</v></c><c r="B1"/></row>', after }],
      });
      expect(await lines(drop)).toEqual([[1, [1]]]);
      return tookMs();
    };
    // Ten times as long, or a hundred times where each merge is compared with each.
    expect(await readMs(50_000)).toBeLessThan(40 * Math.max(await readMs(5_000), 5));
  });

  it.each([
    [
      'a row after a later one',
      '<row r="5"><c><v>1</v></c></row><row r="3"><c><v>1</v></c></row>',
      /row "3" follows row 5/,
    ],
    [
      'the same row again',
      '<row r="5"><c><v>1</v></c></row><row r="5"><c><v>1</v></c></row>',
      /row "5" follows row 5/,
    ],
    [
      'a cell that is there twice',
      '<row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>',
      /it has a cell B2 twice/,
    ],
    [
      'a formula cell that is there twice',
      '<row r="2"><c r="B2"><f>1</f><v>1</v></c><c r="B2"><f>2</f><v>2</v></c></row>',
      /it has a cell B2 twice/,
    ],
    ['a row whose reference isn’t a number', '<row r="x"/>', /row "x" follows row 0/],
    ['a row beyond the last one', '<row r="1048577"><c><v>1</v></c></row>', /row 1048577 is beyond/],
    ['a column beyond the last one', '<row r="1"><c r="XFE1"><v>1</v></c></row>', /row 1 has a cell beyond/],
    [
      'text that the workbook does not have',
      '<row r="4"><c r="B4" t="s"><v>9</v></c></row>',
      /cell B4 refers to text 9 of 0/,
    ],
    [
      'an undeclared entity',
      '<row r="1"><c r="A1" t="str"><v>&bomb;</v></c></row>',
      /sheet1\.xml is not well-formed XML/,
    ],
    [
      'an array formula whose values were not saved',
      '<row r="2"><c r="A2"><f t="array" ref="A2:B5">Raw!A2:B5</f></c><c r="B2" s="1"/></row>',
      /cell A2 holds an array formula for A2:B5 whose values were not saved/,
    ],
    ['a tag never closed', '<row r="1"><c r="A1">', /sheet1\.xml is not well-formed XML/],
  ])('are refused with %s', async (_, rows, message) => {
    await expect(rowsOf(rows)).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(message),
    });
  });

  it('are given as far as they go where the sheet is damaged', async () => {
    const rows = '<row r="1"><c><v>1</v></c></row><row r="3"><c><v>3</v></c></row><row r="2"/>';
    const readRows: Row[] = [];
    const reading = async () => {
      for await (const batch of (await openWorkbookOf({ sheets: [{ rows }] })).rows())
        readRows.push(...batch);
    };
    await expect(reading()).rejects.toThrow(/row "2" follows row 3/);
    expect(readRows).toEqual([
      { line: 1, cells: [1] },
      { line: 3, cells: [3] },
    ]);
  });

  it('say of their rows which the sheet hides', async () => {
    const row = (line: number, hidden: string) => `<row r="${line}"${hidden}><c><v>${line}</v></c></row>`;
    const spelled = ['', ' hidden="1"', ' hidden="1"', ' hidden="true"', ' hidden="0"', '', ''];
    const rows = await allRows(
      await openWorkbookOf({ sheets: [{ rows: spelled.map((hidden, i) => row(i + 1, hidden)).join('') }] }),
    );
    expect(rows.flatMap(({ line, isHidden }) => (isHidden ? [line] : []))).toEqual([2, 3, 4]);
    expect(rows[0]).toEqual({ line: 1, cells: [1] });
  });

  it('come in smaller batches where gaps make rows large', async () => {
    const rows = Array.from(
      { length: 550 },
      (_, i) => `<row r="${i + 1}"><c r="AMJ${i + 1}"><v>1</v></c></row>`,
    );
    const drop = await openWorkbookOf({ sheets: [{ rows: rows.join('') }] });
    for await (const batch of drop.rows()) expect(batch.length).toBeLessThan(500);
  });

  it('are refused when they are too many, gaps included', () => {
    const handlers = sheetCells(
      'a.xlsx',
      {
        epoch: 1900,
        isUncalculated: false,
        strings: [],
        meanings: [],
        struck: null,
        clearMerged: clearUnder([]),
      },
      () => undefined,
      10,
    );
    const readRow = () => {
      handlers.open?.('row', new Map());
      for (const name of ['c', 'v']) handlers.open?.(name, new Map(name === 'c' ? [['r', 'E1']] : []));
      handlers.text?.('1');
      for (const name of ['v', 'c', 'row']) handlers.close?.(name);
    };
    readRow();
    readRow();
    expect(readRow).toThrow(/more than 10 cells up to row 3, gaps included/);
  });

  it('are read without the tables a workbook may lack', async () => {
    const parts = workbookParts({ sheets: [{ rows: '<row><c s="3"><v>1</v></c></row>' }] })
      .filter(({ name }) => !/styles|sharedStrings/.test(name))
      .map((part) => ({
        ...part,
        content: String(part.content).replace(/<Relationship [^>]*(?:styles|sharedStrings)[^>]*>/g, ''),
      }));
    expect(await lines(await openContent(writeZip(parts)))).toEqual([[1, [1]]]);
  });

  it('name the part that is missing', async () => {
    const parts = workbookParts({ sheets: [{ rows: '' }] }).filter(
      ({ name }) => name !== 'xl/sharedStrings.xml',
    );
    const drop = await openContent(writeZip(parts));
    await expect(allRows(drop)).rejects.toMatchObject({
      message: expect.stringMatching(/part xl\/sharedStrings\.xml is missing/),
    });
  });

  it('do not care about the order of parts in the archive', async () => {
    const parts = workbookParts({
      strings: '<si><t>a</t></si>',
      sheets: [{ rows: '<row><c t="s"><v>0</v></c></row>' }],
    });
    expect(await lines(await openContent(writeZip(parts.toReversed())))).toEqual([[1, ['a']]]);
  });
});
