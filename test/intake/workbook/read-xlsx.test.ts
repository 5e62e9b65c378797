import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { UNSAVED_FORMULA } from '../../../src/domain/row.js';
import { allRows, lines, openContent, openWorkbookOf } from '../../support/open-content.js';
import { relation, relationships, withPart, workbookParts } from '../../support/workbook-parts.js';
import { writeZip } from '../../support/write-zip.js';

/** A sheet whose one cell is this number. */
function sheetOf(value: number): string {
  return `<row r="1"><c r="A1"><v>${value}</v></c></row>`;
}

describe('a workbook', () => {
  it('is read the way another program wrote it', async () => {
    const workbook = new exceljs.Workbook();
    const sheet = workbook.addWorksheet('Export');
    sheet.addRow(['Completions of March']);
    sheet.mergeCells('A1:D1');
    sheet.addRow([]);
    sheet.addRow(['Email', 'Done', 'Score', 'Passed']);
    sheet.addRow(['ann@example.com', new Date(Date.UTC(2024, 2, 1, 10, 30)), 0.855, true]);
    sheet.addRow(['bob@example.com', new Date(Date.UTC(2024, 2, 2)), { formula: '1/2', result: 0.5 }, false]);
    sheet.getColumn(2).numFmt = 'yyyy-mm-dd hh:mm';
    sheet.getColumn(3).numFmt = '0.0%';
    const drop = await openContent(Buffer.from(await workbook.xlsx.writeBuffer()));
    expect(drop.workbook).toEqual({ epoch: 1900, sheets: [{ name: 'Export', state: 'visible', rows: 5 }] });
    expect(await lines(drop)).toEqual([
      [1, ['Completions of March']],
      [3, ['Email', 'Done', 'Score', 'Passed']],
      [4, ['ann@example.com', { date: '2024-03-01T10:30:00.000' }, { percent: 85.5 }, true]],
      [5, ['bob@example.com', { date: '2024-03-02T00:00:00.000' }, { percent: 50 }, false]],
    ]);
  });

  it('that claims a hundred thousand sheets is refused before any of them is looked at', async () => {
    const parts = workbookParts({ sheets: [{ rows: sheetOf(1) }] });
    const workbook = parts.find(({ name }) => name === 'xl/workbook.xml');
    const [one = ''] = /<sheet .*?\/>/.exec(String(workbook?.content)) ?? [];
    const content = String(workbook?.content).replace(one, one.repeat(100_000));
    const zip = writeZip(withPart(parts, { name: 'xl/workbook.xml', content }));
    await expect(openContent(zip)).rejects.toThrow('claims to have 100000 sheets, more than any export');
  });

  it('lists its sheets in its own order, with their state and the rows they claim', async () => {
    const drop = await openWorkbookOf({
      sheets: [
        { name: 'Notes &amp; more', state: 'hidden', rows: sheetOf(1), dimension: 'A1' },
        { name: 'Data', rows: sheetOf(2), dimension: 'A1:J250' },
        { name: 'Lists', state: 'veryHidden', rows: sheetOf(3) },
        { name: 'Sheet2', rows: '<row r="1" ht="20"><c r="A1" s="1"/></row>', dimension: 'A1' },
      ],
    });
    expect(drop.workbook?.sheets).toEqual([
      { name: 'Notes & more', state: 'hidden', rows: 1 },
      { name: 'Data', state: 'visible', rows: 250 },
      { name: 'Lists', state: 'veryHidden', rows: null },
      { name: 'Sheet2', state: 'visible', rows: 0 },
    ]);
  });

  it('gives the named sheet, even a hidden one, else the first visible one', async () => {
    const drop = await openWorkbookOf({
      sheets: [
        { name: 'Notes', state: 'hidden', rows: sheetOf(1) },
        { name: 'Data', rows: sheetOf(2) },
        { name: 'More', rows: sheetOf(3) },
      ],
    });
    expect(await lines(drop)).toEqual([[1, [2]]]);
    expect(await lines(drop, 'More')).toEqual([[1, [3]]]);
    expect(await lines(drop, 'Notes')).toEqual([[1, [1]]]);
    await expect(allRows(drop, 'data')).rejects.toMatchObject({
      message: 'the workbook has no sheet "data".',
      hint: 'It has "Notes", "Data", "More".',
    });
  });

  it('says so when no sheet is visible, and when there is none', async () => {
    const hidden = await openWorkbookOf({ sheets: [{ name: 'Notes', state: 'hidden', rows: sheetOf(1) }] });
    await expect(allRows(hidden)).rejects.toMatchObject({
      message: 'the workbook has no visible sheet (hidden: "Notes").',
    });
    const none = await openWorkbookOf({});
    await expect(allRows(none)).rejects.toMatchObject({ message: 'the workbook has no sheet with cells.' });
  });

  it('that leaves its formulas to be calculated has no zeros among their values', async () => {
    const cells =
      '<c><f>Raw!A1</f><v>0</v></c><c t="str"><f>Raw!B1</f><v>0</v></c><c><f>Raw!C1</f><v>7</v></c><c><v>0</v></c><c t="b"><f>1=2</f><v>0</v></c>';
    const spec = { sheets: [{ rows: `<row>${cells}</row>` }] };
    const left = { ...spec, after: '<calcPr calcId="124519" fullCalcOnLoad="1"/>' };
    const unsaved = { error: UNSAVED_FORMULA };
    expect(await lines(await openWorkbookOf(left))).toEqual([[1, [unsaved, unsaved, 7, 0, false]]]);
    const kept = { ...spec, after: '<calcPr calcId="191029"/>' };
    expect(await lines(await openWorkbookOf(kept))).toEqual([[1, [0, '0', 7, 0, false]]]);
  });

  it('leaves chart sheets out', async () => {
    const parts = workbookParts({ sheets: [{ name: 'Chart' }, { name: 'Data', rows: sheetOf(2) }] });
    const charted = withPart(parts, {
      name: 'xl/_rels/workbook.xml.rels',
      content: relationships([
        relation('rId1', 'chartsheet', 'chartsheets/sheet1.xml'),
        relation('rId2', 'worksheet', 'worksheets/sheet2.xml'),
      ]),
    });
    const drop = await openContent(writeZip(charted));
    expect(drop.workbook?.sheets.map(({ name }) => name)).toEqual(['Data']);
    expect(await lines(drop)).toEqual([[1, [2]]]);
  });

  it.each(['/xl/data/rows.xml', 'data/rows.xml', '../xl/data/rows.xml', './data/rows.xml', 'data\\rows.xml'])(
    'finds a sheet by the target %s',
    async (target) => {
      const parts = workbookParts({ sheets: [{ name: 'Data', rows: sheetOf(2) }] }).map((part) =>
        part.name === 'xl/worksheets/sheet1.xml' ? { ...part, name: 'xl/data/rows.xml' } : part,
      );
      const moved = withPart(parts, {
        name: 'xl/_rels/workbook.xml.rels',
        content: relationships([relation('rId1', 'worksheet', target)]),
      });
      expect(await lines(await openContent(writeZip(moved)))).toEqual([[1, [2]]]);
    },
  );

  it('is found where the archive says it is', async () => {
    const parts = workbookParts({ sheets: [{ rows: sheetOf(2) }] }).map((part) => ({
      ...part,
      name: part.name
        .replace('xl/workbook.xml', 'book/main.xml')
        .replace('xl/_rels/workbook', 'book/_rels/main')
        .replace(/^xl/, 'book'),
    }));
    const moved = withPart(parts, {
      name: '_rels/.rels',
      content: relationships([relation('rId7', 'officeDocument', '/book/main.xml')]),
    });
    expect(await lines(await openContent(writeZip(moved)))).toEqual([[1, [2]]]);
  });

  it('is found in its usual place where the archive says nothing', async () => {
    const parts = workbookParts({ sheets: [{ rows: sheetOf(2) }] }).filter(
      ({ name }) => name !== '_rels/.rels',
    );
    expect(await lines(await openContent(writeZip(parts)))).toEqual([[1, [2]]]);
  });

  it('is read in the strict dialect and with any prefixes', async () => {
    const parts = workbookParts({ sheets: [{ rows: sheetOf(2) }] });
    const strict = parts.map((part) => ({
      ...part,
      content: String(part.content)
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
          'http://purl.oclc.org/ooxml/officeDocument/relationships',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
          'http://purl.oclc.org/ooxml/spreadsheetml/main',
        )
        .replaceAll('r:id=', 'rel:id=')
        .replaceAll('xmlns:r=', 'xmlns:rel=')
        .replace(/<(\/?)(workbook|workbookPr|sheets|sheet)\b/g, '<$1m:$2'),
    }));
    expect(await lines(await openContent(writeZip(strict)))).toEqual([[1, [2]]]);
  });

  it.each([
    ['xl/_rels/workbook.xml.rels', relationships([]), /where the cells of its sheet "Sheet1" are/],
    ['xl/workbook.xml', '<workbook><sheets>', /xl\/workbook\.xml is not well-formed XML/],
    [
      'xl/workbook.xml',
      '<!DOCTYPE x><workbook/>',
      /xl\/workbook\.xml is not well-formed XML: a document type/,
    ],
    [
      'xl/worksheets/sheet1.xml',
      '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>',
      /sheet1\.xml is not well-formed XML: a document type/,
    ],
    [
      '_rels/.rels',
      relationships([relation('r', 'officeDocument', 'xl/other.xml')]),
      /xl\/other\.xml is missing/,
    ],
  ])('is refused with a broken %s', async (name, content, message) => {
    const parts = withPart(workbookParts({ sheets: [{ rows: sheetOf(2) }] }), { name, content });
    await expect(openContent(writeZip(parts))).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(message),
    });
  });

  it('is refused when its table of texts hides a document type', async () => {
    const parts = withPart(workbookParts({ sheets: [{ rows: sheetOf(2) }] }), {
      name: 'xl/sharedStrings.xml',
      content: '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><sst><si><t>&b;</t></si></sst>',
    });
    const drop = await openContent(writeZip(parts));
    await expect(allRows(drop)).rejects.toMatchObject({ message: expect.stringMatching(/document type/) });
  });

  it('takes number formats from cell styles and not from named or differential ones', async () => {
    const parts = withPart(
      workbookParts({ sheets: [{ rows: '<row><c s="1"><v>45352</v></c><c><v>45352</v></c></row>' }] }),
      {
        name: 'xl/styles.xml',
        content:
          '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="d.m.yy"/></numFmts><cellStyleXfs><xf numFmtId="9"/><xf numFmtId="9"/></cellStyleXfs>' +
          '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs><dxfs><dxf><numFmt numFmtId="170" formatCode="0%"/></dxf></dxfs></styleSheet>',
      },
    );
    expect(await lines(await openContent(writeZip(parts)))).toEqual([
      [1, [{ date: '2024-03-01T00:00:00.000' }, 45_352]],
    ]);
  });
});
