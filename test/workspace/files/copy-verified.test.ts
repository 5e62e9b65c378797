import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyVerified } from '../../../src/workspace/files/copy-verified.js';
import { temporaryFolder } from '../opened-workspace.js';

test('a copy has the bytes and is for its owner alone', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(from, 'a.csv'), 'bytes');
  const copy = await copyVerified(join(from, 'a.csv'), to);
  expect(readFileSync(copy?.path ?? '', 'utf8')).toBe('bytes');
  expect(copy?.original.sizeBytes).toBe(5);
  expect(readdirSync(from)).toEqual(['a.csv']);
});

test('a file that grows while it is copied is not taken, and no half copy is left', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  const path = join(from, 'a.csv');
  writeFileSync(path, 'x'.repeat(1_000_000));
  const growing = setInterval(() => appendFileSync(path, 'more'));
  try {
    expect(await copyVerified(path, to)).toBeNull();
  } finally {
    clearInterval(growing);
  }
  expect(readdirSync(to)).toEqual([]);
});

test.each([
  ['link', (path: string) => symlinkSync('/etc/hostname', path)],
  ['pipe', (path: string) => void execFileSync('mkfifo', [path])],
])('a %s is not copied, nor waited for', async (_, make) => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  make(join(from, 'a.csv'));
  expect(await copyVerified(join(from, 'a.csv'), to)).toBeNull();
  expect(readdirSync(to)).toEqual([]);
});
