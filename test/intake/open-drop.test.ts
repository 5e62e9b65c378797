import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openDrop } from '../../src/intake/open-drop.js';
import { allRows, lines, openContent, openWorkbookOf, writeDrop } from '../support/open-content.js';
import { tempFolder } from '../support/temp-folder.js';
import { relation, relationships, withPart, workbookParts } from '../support/workbook-parts.js';
import { writeZip } from '../support/write-zip.js';

const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

describe('openDrop', () => {
  it('identifies a drop by the hash and the length of its bytes', async () => {
    const content = 'a,b\n1,2\n';
    const drop = await openContent(content);
    expect(drop.identity).toEqual({
      sha256: createHash('sha256').update(content).digest('hex'),
      bytes: 8,
    });
  });

  it('recognises a workbook by its content, whatever the name', async () => {
    const workbook = writeZip(workbookParts({ sheets: [{ rows: '<row><c><v>7</v></c></row>' }] }));
    const drop = await openDrop(writeDrop(workbook, 'export.csv'), {});
    expect(drop.format).toBe('xlsx');
    expect(drop.text).toBeNull();
    expect(await lines(drop)).toEqual([[1, [7]]]);
  });

  it('recognises text by its content, whatever the name', async () => {
    const drop = await openDrop(writeDrop('a;b\r\n', 'export.xlsx'), {});
    expect(drop).toMatchObject({
      format: 'csv',
      workbook: null,
      text: { encoding: 'utf-8', bom: false, delimiter: ';' },
    });
  });

  it.each([
    ['an empty file', Buffer.alloc(0), /empty \(0 bytes\)/],
    ['an old workbook, or one with a password', COMPOUND, /old \.xls format, or with a password/],
    ['gzip', gzipSync('a,b\n'), /compressed with gzip/],
    ['a PDF document', Buffer.from('%PDF-1.7\n%'), /PDF/],
    ['an HTML page', Buffer.from('\ufeff\n<!DOCTYPE html><html><body>Sign in</body>'), /HTML page/],
    [
      'an HTML table in UTF-16',
      Buffer.from('\ufeff<table><tr><td>a</td></tr></table>', 'utf16le'),
      /HTML page/,
    ],
    ['an XML document', Buffer.from('<?xml version="1.0"?><Workbook/>'), /XML document/],
    [
      'a zip without workbook',
      writeZip([{ name: 'a.csv', content: 'a,b' }]),
      /zip archive without a workbook/,
    ],
    ['an empty zip', writeZip([]), /zip archive without a workbook/],
    [
      'an OpenDocument file',
      writeZip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
        { name: 'content.xml', content: '<x/>' },
      ]),
      /without a workbook in \.xlsx format/,
    ],
    [
      'a binary workbook',
      writeZip([
        { name: '_rels/.rels', content: relationships([relation('r', 'officeDocument', 'xl/workbook.bin')]) },
        { name: 'xl/workbook.bin', content: 'x' },
      ]),
      /without a workbook in \.xlsx format/,
    ],
    [
      'a text document',
      writeZip([
        {
          name: '_rels/.rels',
          content: relationships([relation('r', 'officeDocument', 'word/document.xml')]),
        },
        { name: 'word/document.xml', content: '<w:document xmlns:w="w"/>' },
      ]),
      /not a workbook/,
    ],
    [
      'a zip cut short',
      writeZip([{ name: 'xl/workbook.xml', content: 'x' }]).subarray(0, 40),
      /cut off or damaged/,
    ],
    [
      'bytes with zeros that are no UTF-16',
      Buffer.from('name\nhello\0\nworld\0\n'),
      /line 2, column 6 is a zero byte/,
    ],
  ])('refuses %s in plain words', async (_, content, message) => {
    const path = writeDrop(content, 'march.csv');
    await expect(openDrop(path, {})).rejects.toMatchObject({
      name: 'OperatorError',
      operation: 'read the drop',
      subject: 'march.csv',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/\w.*\.$/),
      exit: 'attention',
    });
  });

  it('names a missing file and a folder, and calls them wrong usage', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'sub'));
    await expect(openDrop(join(folder, 'none.csv'), {})).rejects.toMatchObject({
      exit: 'usage',
      message: `there is no file ${join(folder, 'none.csv')}.`,
    });
    await expect(openDrop(join(folder, 'sub'), {})).rejects.toMatchObject({
      exit: 'usage',
      message: `${join(folder, 'sub')} is a folder.`,
    });
  });

  it('gives the rows on each request', async () => {
    const drop = await openContent('a,b\n1,2\n');
    expect(await allRows(drop)).toEqual(await allRows(drop));
    const workbook = await openWorkbookOf({ sheets: [{ rows: '<row><c><v>7</v></c></row>' }] });
    expect(await allRows(workbook)).toEqual(await allRows(workbook));
  });

  it('gives the rows of a workbook in batches of at most some hundred', async () => {
    const workbook = await openWorkbookOf({
      sheets: [{ rows: '<row><c><v>7</v></c></row>'.repeat(20_000) }],
    });
    for await (const batch of workbook.rows()) expect(batch.length).toBeLessThan(2_000);
  });

  it('refuses to go on with a file that changed after it was opened', async () => {
    const path = writeDrop('a,b\n1,2\n');
    const drop = await openDrop(path, {});
    appendFileSync(path, '3,4\n');
    // Before the first row, and not only when the last one is through.
    const first = drop.rows()[Symbol.asyncIterator]().next();
    await expect(first).rejects.toMatchObject({ message: expect.stringMatching(/changed/) });
  });

  it('refuses the end of a file that changed while its rows were read', async () => {
    const path = writeDrop('a,b\n1,2\n');
    const drop = await openDrop(path, {});
    const read = async () => {
      for await (const _ of drop.rows()) writeFileSync(path, 'other,rows\n');
    };
    await expect(read()).rejects.toMatchObject({ message: expect.stringMatching(/changed/) });
  });

  it('says so when the file vanished after it was opened', async () => {
    const path = writeDrop('a,b\n');
    const drop = await openDrop(path, {});
    renameSync(path, `${path}.gone`);
    await expect(allRows(drop)).rejects.toMatchObject({ message: 'the file vanished while it was read.' });
  });

  it('leaves no file open, also when the reader stops early', { tags: ['linux'] }, async () => {
    const text = await openContent('a,b\n'.repeat(100_000));
    const workbook = await openWorkbookOf({
      sheets: [{ rows: '<row><c><v>7</v></c></row>'.repeat(50_000), dimension: 'A1:A50000' }],
    });
    const before = openFiles();
    for (const drop of [text, workbook]) for await (const _ of drop.rows()) break;
    // A file that opening has read may have been closed only meanwhile.
    await expect.poll(openFiles).toBeLessThanOrEqual(before);
  });

  it('names the part that a damaged workbook breaks at', async () => {
    const parts = workbookParts({ sheets: [{ rows: '<row><c><v>7</v></c></row>' }] });
    const broken = withPart(parts, {
      name: 'xl/styles.xml',
      content: '<styleSheet>',
      data: Buffer.from('nonsense'),
    });
    const drop = await openContent(writeZip(broken));
    await expect(allRows(drop)).rejects.toMatchObject({ message: expect.stringMatching(/xl\/styles\.xml/) });
  });
});

/** How many descriptors this process has. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}
