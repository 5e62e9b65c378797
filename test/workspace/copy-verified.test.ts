import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyVerified } from '../../src/workspace/copy-verified.js';
import { temporaryFolder } from './opened-workspace.js';

test('a copy has the bytes and belongs to nobody else', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(from, 'a.csv'), 'bytes');
  const { path, original } = await copyVerified(join(from, 'a.csv'), to);
  expect(readFileSync(path, 'utf8')).toBe('bytes');
  expect(original.size).toBe(5);
  expect(readdirSync(from)).toEqual(['a.csv']);
});

test('a file that grows while it is copied is refused, and no half copy is left', async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  const path = join(from, 'a.csv');
  writeFileSync(path, 'x'.repeat(1_000_000));
  const growing = setInterval(() => appendFileSync(path, 'more'));
  try {
    await expect(copyVerified(path, to)).rejects.toThrow('changed while it was copied');
  } finally {
    clearInterval(growing);
  }
  expect(readdirSync(to)).toEqual([]);
});
