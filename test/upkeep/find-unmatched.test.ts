import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { sourceSchema } from '../../src/config/schema/source-schema.js';
import { systemClock } from '../../src/domain/clock.js';
import { findUnmatched } from '../../src/upkeep/find-unmatched.js';
import { workspacePaths } from '../../src/workspace/folders.js';
import { manualClock } from '../support/manual-clock.js';
import { tempFolder } from '../support/temp-folder.js';
import { workbookParts } from '../support/workbook-parts.js';
import { writeZip } from '../support/write-zip.js';
import { withoutRights } from '../workspace/opened-workspace.js';

type SourceGiven = Readonly<Record<string, unknown>>;

/** Looks through a workspace that holds these files by path; a path that ends with a slash is a folder. */
async function unmatchedIn(
  files: Readonly<Record<string, string | Buffer>>,
  sources: readonly SourceGiven[] = [{ name: 'academy' }],
  options: { readonly only?: string; readonly laterMs?: number; readonly root?: string } = {},
) {
  const root = options.root ?? tempFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(path, content);
  }
  const allSources = sources.map((source) =>
    sourceSchema.parse({ operation: 'submit-completion', environment: 'main', ...source }),
  );
  return findUnmatched(
    {
      paths: workspacePaths(root),
      config: { sources: allSources },
      clock: manualClock(new Date(systemClock().nowMs() + (options.laterMs ?? 0)).toISOString()),
    },
    allSources.filter(({ name }) => options.only === undefined || name === options.only),
  );
}

const CSV = 'Email,Course\nada@example.org,C-1\n';
const XLSX = writeZip(workbookParts({ sheets: [{ rows: '' }] }));
const XLS = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ODS = writeZip([
  { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
]);
const SAVE = 'Open it and save it as .xlsx.';
const UNPACK = 'Unpack it and drop what is inside.';
const UNPACKED = 'An inbox unpacks it where match of its source covers its name.';

it.each<[string, string | Buffer, string, string]>([
  [
    'October.xls',
    XLS,
    'is a workbook in the old .xls format, or with a password',
    'Open it and save it as .xlsx',
  ],
  ['October.ods', ODS, 'is an OpenDocument spreadsheet (.ods)', SAVE],
  ['October.pack', writeZip([{ name: 'a.csv', content: CSV }]), 'is a zip archive', UNPACKED],
  ['October.csv.pack', gzipSync(CSV), 'is compressed with gzip', UNPACKED],
  ['October.rar', 'Rar!\x1a\x07', 'is a RAR archive', UNPACK],
  ['October.tar', `${'march.csv'.padEnd(257, '\0')}ustar`, 'is a tar archive', UNPACK],
  ['October.pdf', '%PDF-1.7', 'is a PDF document', 'Export the data as CSV or XLSX.'],
  ['October.html', '<!DOCTYPE html><p>', 'is an HTML page', 'Export the data'],
  [
    'October.docx',
    writeZip([{ name: 'word/document.xml', content: 'x' }]),
    'is a text document',
    'Export the data',
  ],
  ['October.dat', '', 'is empty (0 bytes)', 'Export it again.'],
])('%s is listed with its kind and a remedy', async (name, content, reason, remedy) => {
  const [found, ...others] = await unmatchedIn({ [`inbox/academy/${name}`]: content });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ source: 'academy', path: `inbox/academy/${name}`, code: 'not-read', reason });
  expect(found?.remedy).toContain(remedy);
});

it.each<[string, string | Buffer, string]>([
  ['October.dat', CSV, ', though by its content it is a CSV file'],
  ['October.xls', CSV, ', though by its content it is a CSV file'],
  ['October.xlsm', XLSX, ', though by its content it is an Excel workbook'],
  ['notes.md', 'hello', ''],
])(
  '%s, whose name no pattern takes, is named with the pattern and its content',
  async (name, content, kind) => {
    const [found] = await unmatchedIn({ [`inbox/academy/${name}`]: content });
    expect(found).toMatchObject({
      code: 'not-matched',
      reason: `has a name that doesn't match source academy (match: *.{csv,tsv,txt,xlsx,zip,gz,pgp,gpg})${kind}`,
      remedy: 'Rename it to fit, or widen match of the source in registrar.yaml.',
    });
  },
);

it('a folder, a link and a pipe in an inbox are named', async () => {
  const root = tempFolder();
  mkdirSync(join(root, 'inbox/academy/October'), { recursive: true });
  symlinkSync('/etc/hostname', join(root, 'inbox/academy/link.csv'));
  execFileSync('mkfifo', [join(root, 'inbox/academy/pipe.csv')]);
  const found = await unmatchedIn({}, undefined, { root });
  const remedy = 'Put the files themselves into the inbox, and remove it.';
  expect(found).toMatchObject([
    { path: 'inbox/academy/October', code: 'no-file', remedy },
    { path: 'inbox/academy/link.csv', code: 'no-file', remedy },
    { path: 'inbox/academy/pipe.csv', code: 'no-file', remedy },
  ]);
});

it('files in inbox/ itself, and in folders of it that no source reads, are reported', async () => {
  const found = await unmatchedIn(
    { 'inbox/a.csv': CSV, 'inbox/zzz/a.csv': CSV, 'inbox/gone/': '', 'inbox/campus/a.csv': CSV },
    [{ name: 'academy' }, { name: 'campus', inbox: 'elsewhere' }],
  );
  const about = {
    source: null,
    code: 'no-inbox',
    reason: 'is directly in inbox/, where no source reads it',
    remedy: 'Put it, or the files in it, into the inbox of its source: inbox/academy/ or elsewhere/.',
  };
  expect(found).toEqual(['inbox/a.csv', 'inbox/campus', 'inbox/zzz'].map((path) => ({ path, ...about })));
});

it('files of other programs and matched files are not reported as unmatched', async () => {
  const names = [
    '.hidden',
    '.DS_Store',
    'Thumbs.db',
    'desktop.ini',
    '~$a.xlsx',
    'a.csv~',
    'a.csv.part',
    'a.filepart',
    'a.tmp',
    'a.crdownload',
    'a.csv.reason.txt',
    'lost+found/',
    '.Trash-1000/',
    'a.csv',
    '1-a.attention.csv',
  ];
  const files = Object.fromEntries(
    names.flatMap((name) => [
      [`inbox/academy/${name}`, CSV],
      [`inbox/${name}`, CSV],
    ]),
  );
  for (const name of ['a.csv', '1-a.attention.csv']) delete files[`inbox/${name}`];
  expect(await unmatchedIn(files, [{ name: 'academy' }])).toEqual([]);
});

it('an upload that has not gone on for a day is named', async () => {
  const later = (hours: number) =>
    unmatchedIn({ 'inbox/academy/a.csv.part': CSV }, [{ name: 'academy' }], { laterMs: hours * 3_600_000 });
  expect(await later(23)).toEqual([]);
  expect((await later(25)).map(({ path, code }) => [path, code])).toEqual([
    ['inbox/academy/a.csv.part', 'unfinished'],
  ]);
});

it('one source looks through its own inbox alone', async () => {
  const sources = [{ name: 'academy' }, { name: 'campus' }];
  const files = { 'inbox/academy/a.xls': XLS, 'inbox/campus/b.xls': XLS, 'inbox/c.xls': XLS };
  expect((await unmatchedIn(files, sources, { only: 'campus' })).map(({ path }) => path)).toEqual([
    'inbox/campus/b.xls',
  ]);
  expect((await unmatchedIn(files, sources)).map(({ path }) => path)).toEqual([
    'inbox/academy/a.xls',
    'inbox/campus/b.xls',
    'inbox/c.xls',
  ]);
});

it('a file that one source leaves and another takes, and an inbox within an inbox, are not reported', async () => {
  const sources = [
    { name: 'academy', inbox: 'in', match: '*.csv' },
    { name: 'campus', inbox: './in', match: '*.xlsx' },
    { name: 'deep', inbox: 'in/far/deep' },
    { name: 'root', inbox: '.', match: '*.none' },
  ];
  const files = {
    'registrar.yaml': '{}',
    'registrar.db': '',
    'registrar.db-wal': '',
    'in/a.csv': CSV,
    'in/b.xlsx': XLSX,
    'in/far/deep/c.csv': CSV,
    'archive/': '',
    'inbox/': '',
  };
  expect(await unmatchedIn(files, sources)).toEqual([]);
});

it('a file that this user may not read, and a name that is no text, are named', async () => {
  const root = tempFolder();
  const inbox = join(root, 'inbox/academy');
  mkdirSync(inbox, { recursive: true });
  for (const folder of [root, join(root, 'inbox'), inbox]) chmodSync(folder, 0o755);
  writeFileSync(join(inbox, 'closed.csv'), CSV, { mode: 0 });
  writeFileSync(join(inbox, 'closed.dat'), CSV, { mode: 0 });
  writeFileSync(Buffer.concat([Buffer.from(`${inbox}/m`), Buffer.from([0xfc]), Buffer.from('.csv')]), CSV);
  const found = await withoutRights(async () => unmatchedIn({}, undefined, { root }));
  expect(found.map(({ path, code }) => [path, code])).toEqual([
    ['inbox/academy/closed.csv', 'unreadable'],
    ['inbox/academy/closed.dat', 'unreadable'],
    ['inbox/academy/m\ufffd.csv', 'bad-name'],
  ]);
});
