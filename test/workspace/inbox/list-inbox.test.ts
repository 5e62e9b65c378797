import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listInbox } from '../../../src/workspace/inbox/list-inbox.js';
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
  const { take, left } = await listInbox(ACADEMY, paths);
  expect(take.map(({ name }) => name)).toEqual(['z.csv', 'c.csv', 'a.CSV', 'b.xlsx']);
  expect(take[0]).toMatchObject({
    source: 'academy',
    path: join(inbox, 'z.csv'),
    sizeBytes: 1,
    mtimeMs: 5000,
  });
  expect(left).toEqual([]);
});

test('what is not taken is named with its reason', async () => {
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
  const { take, left } = await listInbox({ ...ACADEMY, match: '*.*' }, paths);
  expect(take.map(({ name }) => name)).toEqual(['g.pdf']);
  const unfinished = 'has the name of an unfinished file';
  expect(left.map(({ name, reason, needsAttention }) => [name, reason, needsAttention])).toEqual([
    ['.a.csv', 'is hidden', false],
    ['a.csv.part', unfinished, false],
    ['b.TMP', unfinished, false],
    ['c.csv.crdownload', unfinished, false],
    ['d.filepart', unfinished, false],
    ['f.csv.lock', unfinished, false],
    ['h.csv', 'is a folder', false],
    ['i.csv', 'is a link; put the file itself here', true],
    ['j.csv', 'is not a file', false],
    ['~$e.xlsx', 'belongs to a document somebody has open', false],
  ]);
  expect((await listInbox(ACADEMY, paths)).left).toContainEqual({
    name: 'g.pdf',
    reason: 'does not match *.{csv,xlsx}',
    needsAttention: false,
  });
});

test('a socket is no file', async () => {
  const paths = await openedWorkspace();
  const server = createServer().listen(join(paths.inbox(ACADEMY), 's.csv'));
  await new Promise((resolve) => server.once('listening', resolve));
  const { left } = await listInbox(ACADEMY, paths);
  await new Promise((resolve) => server.close(resolve));
  expect(left).toEqual([{ name: 's.csv', reason: 'is not a file', needsAttention: false }]);
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
  const { take, left } = await withoutRights(async () => listInbox(ACADEMY, paths));
  expect(take.map(({ name }) => name)).toEqual(['open.csv']);
  expect(left).toEqual([
    {
      name: 'closed.csv',
      reason: 'cannot be read: permission denied; let the user that runs Registrar read it',
      needsAttention: true,
    },
    { name: 'm\ufffdller.csv', reason: 'has a name that is not UTF-8; rename it', needsAttention: true },
  ]);
});

test('a missing inbox is reported with the remedy', async () => {
  const paths = await openedWorkspace();
  rmSync(paths.inbox(ACADEMY), { recursive: true });
  await expect(listInbox(ACADEMY, paths)).rejects.toMatchObject({
    message: `could not read the inbox, ${paths.inbox(ACADEMY)}: it does not exist`,
    hint: 'Create it, or mount the disk it is on.',
  });
});
