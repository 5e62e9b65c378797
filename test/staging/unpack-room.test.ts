import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/operator-error.js';
import { withUnpacked } from '../../src/staging/open-file.js';
import { workspacePaths } from '../../src/workspace/folders.js';
import { writeZip } from '../support/write-zip.js';
import { sourceOf } from './staging-bench.js';

const CSV = 'Email,Course ID\nada@example.org,C-1\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'registrar-unpack-'));
});

/** The path of a file with this content. */
function file(content: string | Buffer): string {
  const path = join(folder, 'export');
  writeFileSync(path, content);
  return path;
}

const unpacked = <T>(path: string, work: (path: string) => Promise<T>) =>
  withUnpacked(path, sourceOf({}), workspacePaths(folder), work);

const leftOver = () =>
  existsSync(join(folder, 'processing')) ? readdirSync(join(folder, 'processing', 'academy')) : [];

it.each([
  ['gzip', gzipSync(CSV)],
  [
    'zip',
    writeZip([
      { name: 'readme.pdf', content: 'x' },
      { name: 'march.csv', content: CSV },
    ]),
  ],
])(
  'the one file in a %s archive is read unpacked, by its owner alone, and removed afterwards',
  async (_, archive) => {
    const seen = await unpacked(file(archive), async (path) => ({
      text: readFileSync(path, 'utf8'),
      mode: statSync(path).mode & 0o777,
      folder: path.startsWith(join(folder, 'processing', 'academy')),
    }));
    expect(seen).toEqual({ text: CSV, mode: 0o600, folder: true });
    expect(leftOver()).toEqual([]);
  },
);

it('any other file is read where it is, and nothing is made', async () => {
  const path = file(CSV);
  expect(await unpacked(path, async (read) => read)).toBe(path);
  expect(readdirSync(folder)).toEqual(['export']);
});

it('an archive with several files is refused, with the remedy', async () => {
  const path = file(writeZip(['a.csv', 'b.csv'].map((name) => ({ name, content: CSV }))));
  await expect(unpacked(path, async () => null)).rejects.toThrow(`${path} holds 2 files`);
  expect(leftOver()).toEqual([]);
});

it('an error about the file in it names the archive', async () => {
  const path = file(gzipSync(CSV));
  const failed = unpacked(path, async (read) => {
    throw new OperatorError({
      operation: 'read',
      subject: read,
      message: `${read} is odd`,
      hint: `Look at ${read}.`,
    });
  });
  await expect(failed).rejects.toMatchObject({
    subject: path,
    message: `${path} is odd`,
    hint: `Look at ${path}.`,
  });
  expect(leftOver()).toEqual([]);
});
