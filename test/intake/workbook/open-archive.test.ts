import { rmSync, writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../../src/intake/zip-entries.js';
import { lines, openContent, writeDrop } from '../../support/open-content.js';
import { workbookParts } from '../../support/workbook-parts.js';
import { writeZip, type ZipEntry } from '../../support/write-zip.js';

/** Reads one part of an archive with these entries. */
async function readPart(entries: readonly ZipEntry[], part: string): Promise<string> {
  const archive = await openArchive(writeDrop(writeZip(entries), 'a.xlsx'));
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of archive.read(part)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } finally {
    archive.close();
  }
}

describe('openArchive', () => {
  it('reads parts, compressed or stored', async () => {
    const entries = [
      { name: 'a.xml', content: 'one' },
      { name: 'b.xml', content: 'two', stored: true },
      { name: 'c.xml', content: '' },
    ];
    expect(await readPart(entries, 'a.xml')).toBe('one');
    expect(await readPart(entries, 'b.xml')).toBe('two');
    expect(await readPart(entries, 'c.xml')).toBe('');
  });

  it('opens an archive again without going through its directory', async () => {
    const bytes = writeZip([{ name: 'a.xml', content: 'one' }]);
    const path = writeDrop(bytes);
    const first = await openArchive(path);
    first.close();
    writeFileSync(path, bytes.fill(0, bytes.indexOf('PK\x01\x02'), bytes.indexOf('PK\x05\x06')));
    await expect(openArchive(path)).rejects.toThrow('cut off or damaged');
    const again = await openArchive(path, first.directory);
    const chunks: Buffer[] = [];
    for await (const chunk of again.read('a.xml')) chunks.push(chunk);
    again.close();
    expect(Buffer.concat(chunks).toString()).toBe('one');
  });

  it('calls no file damaged that the system fails to read', async () => {
    const path = writeDrop(writeZip([{ name: 'a', content: 'x' }]));
    const archive = await openArchive(path);
    rmSync(path);
    await expect(archive.read('a').next()).rejects.toMatchObject({ code: 'ENOENT' });
    archive.close();
  });

  it.each(['xl\\workbook.xml', '/xl/workbook.xml', 'XL/Workbook.xml'])(
    'finds xl/workbook.xml as %s',
    async (name) => {
      expect(await readPart([{ name, content: 'x' }], 'xl/workbook.xml')).toBe('x');
    },
  );

  it('reads a workbook that was packed with backslashes', async () => {
    const parts = workbookParts({ sheets: [{ rows: '<row><c><v>1</v></c></row>' }] });
    const packed = parts.map((part) => ({ ...part, name: `\\${part.name.replaceAll('/', '\\')}` }));
    expect(await lines(await openContent(writeZip(packed)))).toEqual([[1, [1]]]);
  });

  it.each([
    ['is not there', [{ name: 'b', content: '' }], /part a is missing/],
    [
      'is there twice',
      [
        { name: 'a', content: '1' },
        { name: 'A', content: '2' },
      ],
      /part a is in it more than once/,
    ],
    ['is encrypted', [{ name: 'a', content: 'x', encrypted: true }], /encrypted/],
    [
      'has another checksum',
      [{ name: 'a', content: 'x', crc: 1 }],
      /part a is damaged: it can't be unpacked/,
    ],
    [
      'is no deflated data',
      [{ name: 'a', content: 'abc', data: Buffer.from('abc') }],
      /part a is damaged: it can't be unpacked/,
    ],
    [
      'is longer than announced',
      [{ name: 'a', content: 'abc', data: deflateRawSync('abcdef') }],
      /part a is damaged: it can't be unpacked/,
    ],
    [
      'is shorter than announced',
      [{ name: 'a', content: 'abcdef', data: deflateRawSync('abc') }],
      /part a is damaged: it can't be unpacked/,
    ],
  ])('refuses a part that %s', async (_, entries, message) => {
    await expect(readPart(entries, 'a')).rejects.toMatchObject({
      exit: 'attention',
      message: expect.stringMatching(message),
    });
  });

  it('accepts duplicates of parts that are not read', async () => {
    const entries = [
      { name: 'a', content: '1' },
      { name: 'b', content: '2' },
      { name: 'b', content: '3' },
    ];
    expect(await readPart(entries, 'a')).toBe('1');
  });

  it.each([10, 200, 1_000])('refuses a workbook cut off %i bytes before its end', async (missing) => {
    const zip = writeZip(workbookParts({ sheets: [{ rows: '<row><c><v>1</v></c></row>' }] }));
    await expect(openContent(zip.subarray(0, zip.length - missing))).rejects.toMatchObject({
      message: expect.stringMatching(/cut off or damaged/),
    });
  });

  it('refuses a directory that points nowhere', async () => {
    const zip = writeZip([{ name: 'a', content: 'x' }]);
    zip.writeUInt32LE(3, zip.length - 6);
    await expect(openArchive(writeDrop(zip))).rejects.toMatchObject({
      message: expect.stringMatching(/cut off or damaged/),
    });
  });

  it('refuses more files than any workbook has', async () => {
    const entries = Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}`, content: '', stored: true }));
    await expect(readPart(entries, '1')).rejects.toMatchObject({
      message: expect.stringMatching(/10001 files/),
    });
  });

  it('refuses a part that would unpack to more than any table', async () => {
    const bomb = [{ name: 'a', content: 'x', sizeBytes: 4_000_000_001 }];
    await expect(readPart(bomb, 'a')).rejects.toMatchObject({
      message: expect.stringMatching(/unpacks to far more/),
    });
  });
});
