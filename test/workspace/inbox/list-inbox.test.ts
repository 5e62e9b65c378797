import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspectEntry, listInbox } from '../../../src/workspace/inbox/list-inbox.js';
import { ACADEMY, openedWorkspace, touch, withoutRights } from '../opened-workspace.js';

test('files that match are taken, oldest first and then by name', async () => {
  const paths = await openedWorkspace();
  const inbox = paths.inbox(ACADEMY);
  for (const [name, second] of [
    ['c.csv', 10],
    ['a.CSV', 20],
    ['b.xlsx', 20],
    ['z.csv', 5],
  ] as const) {
    writeFileSync(join(inbox, name), 'x');
    touch(join(inbox, name), second * 1000);
  }
  const take = await listInbox(ACADEMY, paths);
  expect(take.map(({ name }) => name)).toEqual(['z.csv', 'c.csv', 'a.CSV', 'b.xlsx']);
  expect(take[0]).toMatchObject({
    source: 'academy',
    path: join(inbox, 'z.csv'),
    sizeBytes: 1,
    mtimeMs: 5000,
  });
});

test('unfinished files, folders and unmatched names are not imported', async () => {
  const paths = await openedWorkspace();
  const inbox = paths.inbox(ACADEMY);
  const names = [
    '.a.csv',
    'a.csv.part',
    'b.TMP',
    'c.csv.crdownload',
    'd.filepart',
    '~$e.xlsx',
    'f.csv.lock',
    'g.pdf',
  ];
  for (const name of names) writeFileSync(join(inbox, name), 'x');
  mkdirSync(join(inbox, 'h.csv'));
  symlinkSync('/etc/hosts', join(inbox, 'i.csv'));
  execFileSync('mkfifo', [join(inbox, 'j.csv')]);
  const take = await listInbox({ ...ACADEMY, match: '*.*' }, paths);
  expect(take.map(({ name }) => name)).toEqual(['g.pdf']);
  expect(await listInbox(ACADEMY, paths)).toEqual([]);
  const path = (name: string) => join(inbox, name);
  expect(await inspectEntry('academy', 'h.csv', path('h.csv'))).toBe('no-file');
  expect(await inspectEntry('academy', 'i.csv', path('i.csv'))).toBe('no-file');
  expect(await inspectEntry('academy', 'j.csv', path('j.csv'))).toBe('no-file');
});

test('a socket in an inbox is not listed as a file', async () => {
  const paths = await openedWorkspace();
  const server = createServer().listen(join(paths.inbox(ACADEMY), 's.csv'));
  await new Promise((resolve) => server.once('listening', resolve));
  const looked = await inspectEntry('academy', 's.csv', join(paths.inbox(ACADEMY), 's.csv'));
  await new Promise((resolve) => server.close(resolve));
  expect(looked).toBe('no-file');
});

test('a file that may not be read, or whose name is no text, stops no other', async () => {
  const paths = await openedWorkspace();
  const inbox = paths.inbox(ACADEMY);
  chmodSync(paths.root, 0o755);
  chmodSync(join(paths.root, 'inbox'), 0o755);
  chmodSync(inbox, 0o755);
  writeFileSync(join(inbox, 'closed.csv'), 'x', { mode: 0o000 });
  writeFileSync(
    Buffer.concat([Buffer.from(`${inbox}/m`), Buffer.from([0xfc]), Buffer.from('ller.csv')]),
    'x',
  );
  writeFileSync(join(inbox, 'open.csv'), 'x');
  const take = await withoutRights(async () => listInbox(ACADEMY, paths));
  expect(take.map(({ name }) => name)).toEqual(['open.csv']);
});

test('a missing inbox is reported with the remedy', async () => {
  const paths = await openedWorkspace();
  rmSync(paths.inbox(ACADEMY), { recursive: true });
  await expect(listInbox(ACADEMY, paths)).rejects.toMatchObject({
    message: `could not read the inbox, ${paths.inbox(ACADEMY)}: no such file or folder`,
    hint: 'Create the folder, or mount the disk it is on.',
  });
});
