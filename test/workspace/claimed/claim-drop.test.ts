import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimDrop, listClaimed, moveOrCopy } from '../../../src/workspace/claimed/claim-drop.js';
import { observedSyncs } from '../../support/observed-syncs.js';
import { OTHER_FILE_SYSTEM } from '../../support/other-file-system.js';
import { NOBODY } from '../../support/users.js';
import {
  ACADEMY,
  dropped,
  mustClaim,
  openedWorkspace,
  temporaryFolder,
  touch,
  withoutRights,
} from '../opened-workspace.js';

const AS_ROOT = { tags: ['root'] };

const ODD_NAMES = [
  'plain.csv',
  '-rf.csv',
  'line\nbreak.csv',
  'Zertifikate März 日本.csv',
  ' blank .csv',
  '"quoted" $(x).csv',
  `${'x'.repeat(246)}.csv`,
  `${'メ'.repeat(83)}.csv`,
];

test.each(ODD_NAMES)('%j is claimed with its bytes and its name', async (name) => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, name, 'the bytes');
  const claimed = await claimDrop(file, paths);
  expect(claimed).toMatchObject({ source: 'academy', name });
  expect(readFileSync(claimed?.path ?? '', 'utf8')).toBe('the bytes');
  expect(basename(claimed?.path ?? '')).toMatch(/^[0-9a-f]{8}-/);
  expect(readdirSync(paths.inbox(ACADEMY))).toEqual([]);
});

test('only one of several processes claims a file', async () => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, 'a.csv');
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimDrop(file, paths)));
  expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  expect(await listClaimed(ACADEMY, paths)).toEqual(claims.filter((claim) => claim !== null));
});

test('a file of another name is not touched by a claim', async () => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, 'a.csv');
  await dropped(paths, 'b.csv');
  await claimDrop(file, paths);
  expect(readdirSync(paths.inbox(ACADEMY))).toEqual(['b.csv']);
});

test('a claimed file and its folder are on the disk before it is read', async () => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, 'a.csv');
  let path = '';
  const synced = await observedSyncs(async () => {
    path = (await mustClaim(file, paths)).path;
  });
  expect(synced).toEqual([path, dirname(path)]);
});

/** Entries that another user of the machine may put in a file's place. @param target a file that isn't theirs. */
const STRANGERS: readonly (readonly [name: string, make: (path: string, target: string) => void])[] = [
  ['link', (path, target) => symlinkSync(target, path)],
  ['link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['second name of a file', (path, target) => linkSync(target, path)],
  ['pipe', (path) => void execFileSync('mkfifo', [path])],
  ['folder', (path) => mkdirSync(path)],
];

describe.each(STRANGERS)('a %s in the place of a file', (_, make) => {
  async function prepared() {
    const paths = await openedWorkspace();
    const target = join(paths.root, 'target');
    writeFileSync(target, 'a,b\n', { mode: 0o644 });
    const untouched = () =>
      expect({ mode: statSync(target).mode & 0o777, text: readFileSync(target, 'utf8') }).toEqual({
        mode: 0o644,
        text: 'a,b\n',
      });
    return { paths, target, untouched };
  }

  test('is not taken, nor waited for, and stays in the inbox', async () => {
    const { paths, target, untouched } = await prepared();
    const file = await dropped(paths, 'a.csv');
    rmSync(file.path);
    make(file.path, target);
    expect(await claimDrop(file, paths)).toBeNull();
    expect(readdirSync(paths.inbox(ACADEMY))).toEqual(['a.csv']);
    expect(readdirSync(join(paths.processing, 'academy'))).toEqual([]);
    untouched();
  });

  test('is seen where it came after the last look', async () => {
    const { paths, target, untouched } = await prepared();
    const path = join(paths.inbox(ACADEMY), 'a.csv');
    make(path, target);
    expect(await moveOrCopy(path, join(paths.processing, 'a.csv'))).toBe('foreign');
    untouched();
  });
});

describe('a file that may not be moved', () => {
  test('because it is another user’s in a sticky folder is reported as such', AS_ROOT, async () => {
    const paths = await openedWorkspace();
    const file = await dropped(paths, 'a.csv');
    chmodSync(paths.inbox(ACADEMY), 0o1777);
    for (const path of [paths.root, paths.processing, join(paths.root, 'inbox')])
      chownSync(path, NOBODY, NOBODY);
    const claimed = await withoutRights(async () => claimDrop(file, paths));
    expect(claimed).toMatchObject({ code: 'not-movable', path: file.path });
    expect(readFileSync(file.path, 'utf8')).toBe('a,b\n');
  });

  test('because it is in use is reported as such', { tags: ['mount'] }, async () => {
    const paths = await openedWorkspace();
    const file = await dropped(paths, 'a.csv');
    // A file that is mounted somewhere is busy, as an open file on a share is.
    execFileSync('mount', ['--bind', file.path, file.path]);
    try {
      expect(await claimDrop(file, paths)).toMatchObject({ code: 'not-movable', path: file.path });
    } finally {
      execFileSync('umount', [file.path]);
    }
  });
});

describe('after a crash', () => {
  test('claimed drops are found under the names they came with, oldest first', async () => {
    const paths = await openedWorkspace();
    const names = ODD_NAMES.filter((name) => Buffer.byteLength(name) < 240).reverse();
    for (const [index, name] of names.entries()) {
      const claimed = await claimDrop(await dropped(paths, name), paths);
      touch(claimed?.path ?? '', 1000 * (index + 1));
    }
    expect((await listClaimed(ACADEMY, paths)).map(({ name }) => name)).toEqual(names);
  });

  test('a copy that a dead process left is removed, one of a living process stays', async () => {
    const paths = await openedWorkspace();
    await claimDrop(await dropped(paths, 'a.csv'), paths);
    const folder = join(paths.processing, 'academy');
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(join(folder, `.${dead}-0123456789abcdef.tmp`), 'half');
    writeFileSync(join(folder, `.${process.ppid}-0123456789abcdef.tmp`), 'half');
    expect(await listClaimed(ACADEMY, paths)).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([
      `.${process.ppid}-0123456789abcdef.tmp`,
    ]);
  });

  test('a source that never had a drop has none', async () => {
    expect(await listClaimed({ name: 'never' }, await openedWorkspace())).toEqual([]);
  });
});

describe('an inbox on another file system', { tags: ['other-file-system'] }, () => {
  test('its file is copied whole, for its owner alone, and then removed', async () => {
    const inbox = temporaryFolder(OTHER_FILE_SYSTEM ?? undefined);
    const paths = await openedWorkspace(inbox);
    const content = 'x'.repeat(300_000);
    const claimed = await claimDrop(await dropped(paths, 'a.csv', content, inbox), paths);
    expect(readFileSync(claimed?.path ?? '', 'utf8')).toBe(content);
    expect(statSync(claimed?.path ?? '').mode & 0o777).toBe(0o600);
    expect(readdirSync(inbox)).toEqual([]);
    expect(readdirSync(join(paths.processing, 'academy'))).toHaveLength(1);
  });

  test.each(STRANGERS)('a %s in the place of its file is not copied', async (_, make) => {
    const inbox = temporaryFolder(OTHER_FILE_SYSTEM ?? undefined);
    const paths = await openedWorkspace(inbox);
    const target = join(inbox, 'target');
    writeFileSync(target, 'a,b\n');
    make(join(inbox, 'a.csv'), target);
    expect(await moveOrCopy(join(inbox, 'a.csv'), join(paths.processing, 'a.csv'))).toBe('changed');
    expect(readdirSync(inbox)).toEqual(['a.csv', 'target']);
    expect(readdirSync(paths.processing)).toEqual([]);
  });

  test('its file, whose folder it can’t be removed from, is not taken', AS_ROOT, async () => {
    const inbox = temporaryFolder(OTHER_FILE_SYSTEM ?? undefined);
    const paths = await openedWorkspace(inbox);
    const file = await dropped(paths, 'a.csv', 'bytes', inbox);
    chmodSync(inbox, 0o1777);
    for (const path of [paths.root, paths.processing]) chownSync(path, NOBODY, NOBODY);
    expect(await withoutRights(async () => claimDrop(file, paths))).toMatchObject({ code: 'not-movable' });
    expect(readdirSync(join(paths.processing, 'academy'))).toEqual([]);
    expect(readdirSync(inbox)).toEqual(['a.csv']);
  });

  test('its copy and the folder of it are on the disk before it is read', async () => {
    const inbox = temporaryFolder(OTHER_FILE_SYSTEM ?? undefined);
    const paths = await openedWorkspace(inbox);
    const file = await dropped(paths, 'a.csv', 'bytes', inbox);
    const synced = await observedSyncs(() => mustClaim(file, paths));
    const folder = join(paths.processing, 'academy');
    expect(synced).toEqual([expect.stringMatching(/\.tmp$/), folder]);
  });

  test('a file that vanished is no fault and leaves nothing', async () => {
    const inbox = temporaryFolder(OTHER_FILE_SYSTEM ?? undefined);
    const paths = await openedWorkspace(inbox);
    const file = await dropped(paths, 'a.csv', 'x', inbox);
    await claimDrop(file, paths);
    expect(await claimDrop(file, paths)).toBeNull();
    expect(readdirSync(join(paths.processing, 'academy'))).toHaveLength(1);
  });
});
