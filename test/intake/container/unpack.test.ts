import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { unpack } from '../../../src/intake/container/unpack.js';
import type { UnpackRules } from '../../../src/intake/container/unpacked-file.js';
import { tempFolder } from '../../support/temp-folder.js';
import { workbookParts } from '../../support/workbook-parts.js';
import { writeZip, type ZipEntry } from '../../support/write-zip.js';

const CSV = 'Email,Course\nada@example.org,C-1\n';
const XLSX = writeZip(workbookParts({ sheets: [{ rows: '' }] }));
const file = (more: Partial<ZipEntry> = {}): ZipEntry => ({ name: 'march.csv', content: CSV, ...more });
const zip = (...entries: Partial<ZipEntry>[]) => writeZip(entries.map(file));

const LARGEST_BYTES = 3_000_000;

/** Unpacks these bytes; the files by their names, with their content. */
async function unpacked(content: Buffer | string, more: Partial<UnpackRules> = {}) {
  const folder = tempFolder();
  const path = join(folder, 'container');
  writeFileSync(path, content);
  const inner = tempFolder();
  let number = 0;
  const files = await unpack(path, {
    source: {
      name: 'academy',
      match: '*.{csv,xlsx,zip,gz}',
      decrypt: undefined,
      largestFileBytes: LARGEST_BYTES,
    },
    takes: (name) => /\.(?:csv|xlsx|zip|gz)$/.test(name),
    newPath: async () => {
      number += 1;
      return join(inner, String(number));
    },
    signal: new AbortController().signal,
    ...more,
  });
  // Nothing may appear beside the container, or elsewhere in the folder of what it holds.
  expect(readdirSync(folder)).toEqual(['container']);
  expect(readdirSync(inner)).toHaveLength(number);
  for (const { path } of files ?? []) expect(statSync(path).mode & 0o777).toBe(0o600);
  const texts = files?.map((one) => [one.name, readFileSync(one.path)] as const) ?? null;
  rmSync(inner, { recursive: true });
  return texts;
}

it('a packed file comes out whole, and has no other name', async () => {
  expect(await unpacked(gzipSync(CSV))).toEqual([[null, Buffer.from(CSV)]]);
  expect(await unpacked(gzipSync(XLSX))).toEqual([[null, XLSX]]);
  // As `cat a.gz b.gz` makes it.
  expect(await unpacked(Buffer.concat([gzipSync(CSV), gzipSync(CSV)]))).toEqual([
    [null, Buffer.from(CSV + CSV)],
  ]);
});

it('the files of an archive that the source takes come out in their order; others are passed over', async () => {
  const content = zip(
    { name: 'out/', content: '', mode: 0o040755 },
    { name: 'out/march.csv', mode: 0o100644 },
    { name: 'out\\april.csv' },
    { name: 'book.xlsx', content: XLSX, stored: true },
    { name: 'readme.md', content: 'not for us' },
    { name: '年度.csv' },
  );
  const files = await unpacked(content);
  expect(files?.map(([name]) => name)).toEqual(['out/march.csv', 'out/april.csv', 'book.xlsx', '年度.csv']);
  expect(files?.[2]?.[1]).toEqual(XLSX);
});

it.each<[string, Buffer | string]>([
  ['a CSV file', CSV],
  ['a workbook', XLSX],
  ['an OpenDocument file', writeZip([{ name: 'mimetype', content: 'application/vnd.oasis', stored: true }])],
  ['a workbook that was cut off', XLSX.subarray(0, XLSX.length - 30)],
  ['nothing', ''],
])('%s is no container', async (_, content) => {
  expect(await unpacked(content)).toBeNull();
});

const many = (count: number): Partial<ZipEntry>[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.csv`, content: '', stored: true }));
const zeros = (bytes: number) => Buffer.alloc(bytes);
const isNotTouched = () => expect(existsSync('/tmp/registrar-escaped.csv')).toBe(false);

/** What a hostile or broken sender may pack, and how the one sentence about it begins. */
const HOSTILE: readonly (readonly [what: string, content: () => Buffer, sentence: string])[] = [
  [
    'an absolute path',
    () => zip({ name: '/tmp/registrar-escaped.csv' }),
    '/tmp/registrar-escaped.csv in it has an absolute path.',
  ],
  ['a path with a drive', () => zip({ name: 'C:\\march.csv' }), 'C:/march.csv in it has an absolute path.'],
  [
    'a share of Windows',
    () => zip({ name: '\\\\host\\march.csv' }),
    '//host/march.csv in it has an absolute path.',
  ],
  [
    'a way up',
    () => zip({ name: '../march.csv' }),
    '../march.csv in it would be unpacked outside of the folder.',
  ],
  [
    'a way up further in',
    () => zip({ name: 'a/../../march.csv' }),
    'a/../../march.csv in it would be unpacked outside',
  ],
  [
    'a way up by backslashes',
    () => zip({ name: '..\\march.csv' }),
    '../march.csv in it would be unpacked outside',
  ],
  [
    'a path out of the folder in a file that no source takes',
    () => zip({}, { name: '../readme.md' }),
    '../readme.md in it would be unpacked outside',
  ],
  ['a link', () => zip({ content: '/etc/passwd', mode: 0o120777 }), 'march.csv in it is a link.'],
  [
    'a link to a folder',
    () => zip({ name: 'a', content: '/tmp', mode: 0o120777 }, { name: 'a/march.csv' }),
    'a in it is a link.',
  ],
  ['a pipe', () => zip({ mode: 0o010644 }), 'march.csv in it is not a plain file.'],
  ['a device', () => zip({ mode: 0o060644 }), 'march.csv in it is not a plain file.'],
  ['a password', () => zip({ encrypted: true }), 'march.csv in it is encrypted with a password.'],
  ['a name twice', () => zip({}, { content: 'other' }), 'march.csv is in it more than once.'],
  [
    'a name twice in another case',
    () => zip({}, { name: 'MARCH.csv' }),
    'MARCH.csv is in it more than once.',
  ],
  [
    'a name twice by another way',
    () => zip({}, { name: './march.csv' }),
    './march.csv is in it more than once.',
  ],
  [
    'a name with a line end',
    () => zip({ name: 'a\nb.csv' }),
    "a\\nb.csv in it has a name that can't be printed.",
  ],
  [
    'a name with a zero',
    () => zip({ name: 'a.csv\0.txt' }),
    "a.csv\\u0000.txt in it has a name that can't be printed.",
  ],
  [
    'a name in no encoding',
    () => zip({ nameBytes: Buffer.from([0xff, 0xfe, 0x2e, 0x63]) }),
    "��.c in it has a name that can't be printed.",
  ],
  ['no name', () => zip({ name: '' }), "in it has a name that can't be printed."],
  [
    'an archive in an archive',
    () => zip({ name: 'inner.zip', content: zip({}) }),
    'inner.zip in it is itself an archive.',
  ],
  [
    'an archive under the name of a table',
    () => zip({ content: zip({}) }),
    'march.csv in it is itself an archive.',
  ],
  [
    'a packed file in an archive',
    () => zip({ name: 'march.csv.gz', content: gzipSync(CSV) }),
    'march.csv.gz in it is itself an archive.',
  ],
  ['a packed archive', () => gzipSync(zip({})), 'the file in it is itself an archive.'],
  ['a packed packed file', () => gzipSync(gzipSync(CSV)), 'the file in it is itself an archive.'],
  ['a bomb', () => zip({ content: zeros(LARGEST_BYTES + 1) }), 'the unpacked file is larger than 3 MB'],
  ['a packed bomb', () => gzipSync(zeros(LARGEST_BYTES + 1)), 'the unpacked file is larger than 3 MB'],
  [
    'files that are too large together',
    () => zip({ content: zeros(2_000_000) }, { name: 'b.csv', content: zeros(2_000_000) }),
    'the unpacked file is larger than 3 MB',
  ],
  [
    'more bytes than it says',
    () => zip({ data: deflateRawSync(zeros(1_000_000)) }),
    "march.csv in it is damaged: it can't be unpacked.",
  ],
  [
    'fewer bytes than it says',
    () => zip({ sizeBytes: CSV.length + 1 }),
    "march.csv in it is damaged: it can't be unpacked.",
  ],
  ['other bytes than it says', () => zip({ crc: 1 }), "march.csv in it is damaged: it can't be unpacked."],
  [
    'bytes that were never packed',
    () => zip({ data: Buffer.from('not deflated at all') }),
    "march.csv in it is damaged: it can't be unpacked.",
  ],
  [
    'an unknown way of packing',
    () => zip({ method: 99 }),
    "march.csv in it is damaged: it can't be unpacked.",
  ],
  ['too many files', () => zip(...many(10_001)), 'the archive holds 10001 files; the limit is 10000.'],
  ['no files', () => writeZip([]), 'none of the 0 files in the archive matches *.{csv,xlsx,zip,gz}.'],
  [
    'no file for the source',
    () => zip({ name: 'readme.md' }),
    'none of the 1 file in the archive matches *.{csv,xlsx,zip,gz}.',
  ],
  ['an end that is cut off', () => zip({}).subarray(0, -10), 'the archive is cut off or damaged.'],
  [
    'a directory that is cut off',
    () => Buffer.concat([zip({}).subarray(0, 60), zip({}).subarray(-22)]),
    'the archive is cut off or damaged.',
  ],
  [
    'a packed file that is cut off',
    () => gzipSync(CSV).subarray(0, -6),
    "the file is cut off or damaged: it can't be unpacked.",
  ],
  [
    'a packed file with another byte',
    () => damagedAt(gzipSync(CSV), 20),
    "the file is cut off or damaged: it can't be unpacked.",
  ],
  [
    'a packed file of which only the head came',
    () => gzipSync(CSV).subarray(0, 5),
    "the file is cut off or damaged: it can't be unpacked.",
  ],
];

function damagedAt(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

it.each(HOSTILE)('%s is refused with one sentence', async (_, content, sentence) => {
  const error = await unpacked(content()).then(
    () => 'it was taken',
    (error: unknown) => error,
  );
  expect(error).toMatchObject({
    name: 'OperatorError',
    exit: 'attention',
    hint: expect.stringMatching(/\.$/),
  });
  expect((error as Error).message).toContain(sentence);
  isNotTouched();
});

it('an archive that is packed in an unknown way is closed', async () => {
  const before = readdirSync('/proc/self/fd').length;
  for (let tries = 0; tries < 20; tries += 1) {
    await expect(unpacked(zip({ method: 99 }))).rejects.toThrow("it can't be unpacked");
  }
  expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 10);
});

it('an archive that is no archive to a reader of the whole is refused at any byte where it is cut', async () => {
  const whole = zip({ name: 'a.csv' }, { name: 'b.csv' });
  for (let length = 4; length < whole.length; length += 7) {
    await expect(unpacked(whole.subarray(0, length))).rejects.toMatchObject({ exit: 'attention' });
  }
});
