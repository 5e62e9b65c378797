import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkspace, workspacePaths } from '../../src/workspace/folders.js';
import { temporaryFolder } from './opened-workspace.js';

const sources = (...list: { name: string; inbox?: string }[]) => ({ sources: list }) as never;
const modeOf = (path: string) => statSync(path).mode & 0o777;

test('missing folders are created for their owner alone, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const root = join(temporaryFolder(), 'new');
    const paths = await openWorkspace(root, sources({ name: 'academy' }));
    for (const path of [root, paths.processing, paths.archive, paths.rejected, paths.reports]) {
      expect([path, modeOf(path)]).toEqual([path, 0o700]);
    }
    expect(modeOf(join(root, 'inbox', 'academy'))).toBe(0o700);
  } finally {
    process.umask(before);
  }
});

test('folders that exist keep their mode, and opening again changes nothing', async () => {
  const root = temporaryFolder();
  const inbox = join(root, 'inbox', 'academy');
  mkdirSync(inbox, { recursive: true });
  chmodSync(inbox, 0o775);
  await openWorkspace(root, sources({ name: 'academy' }));
  await openWorkspace(root, sources({ name: 'academy' }));
  expect(modeOf(inbox)).toBe(0o775);
});

test('an inbox outside the workspace is used but never created', async () => {
  const root = temporaryFolder();
  const elsewhere = join(temporaryFolder(), 'not-mounted');
  const paths = await openWorkspace(root, sources({ name: 'academy', inbox: elsewhere }));
  expect(paths.inbox({ name: 'academy', inbox: elsewhere })).toBe(elsewhere);
  expect(existsSync(elsewhere)).toBe(false);
});

test('paths are absolute, and read relative to the workspace', () => {
  const paths = workspacePaths('/w');
  expect(paths.ledger).toBe('/w/registrar.db');
  expect(paths.inbox({ name: 'academy', inbox: undefined })).toBe('/w/inbox/academy');
  expect(paths.inbox({ name: 'academy', inbox: '../drops' })).toBe('/drops');
});

test('a file where a folder should be is reported with its path', async () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'archive'), '');
  await expect(openWorkspace(root, sources({ name: 'academy' }))).rejects.toMatchObject({
    message: `could not create a folder of the workspace, ${join(root, 'archive')}: a file is where the folder should be`,
    hint: 'Move that file away.',
    exit: 'io',
  });
});
