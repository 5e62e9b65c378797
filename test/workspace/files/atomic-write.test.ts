import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile, writeFileAtomic } from '../../../src/workspace/files/durable.js';
import { temporaryFolder } from '../opened-workspace.js';

test('a file replaces another one as a whole, for its owner alone', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'report.html');
  writeFileSync(path, 'old', { mode: 0o644 });
  await writeFileAtomic(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['report.html']);
});

test('while a writer writes, the old content is there', async () => {
  const path = join(temporaryFolder(), 'report.html');
  writeFileSync(path, 'old');
  await replaceFile(path, async (temporary) => {
    writeFileSync(temporary, 'new');
    expect(readFileSync(path, 'utf8')).toBe('old');
  });
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a writer that puts another file in place gets the same mode', async () => {
  const path = join(temporaryFolder(), 'report.html');
  await replaceFile(path, async (temporary) => {
    rmSync(temporary);
    writeFileSync(temporary, 'new', { mode: 0o666 });
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a writer’s own error comes through, the old file stays, nothing else is left', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'report.html');
  writeFileSync(path, 'old');
  const failure = new Error('no more paper');
  await expect(replaceFile(path, async () => Promise.reject(failure))).rejects.toBe(failure);
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['report.html']);
});

test('a path that cannot be written is reported in words, and nothing is left', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'report.html'));
  await expect(writeFileAtomic(join(folder, 'report.html'), 'new')).rejects.toMatchObject({
    name: 'OperatorError',
    exit: 'io',
    subject: join(folder, 'report.html'),
  });
  expect(readdirSync(folder)).toEqual(['report.html']);
  await expect(writeFileAtomic(join(folder, 'gone', 'x'), 'new')).rejects.toThrow('no such file or folder');
});
