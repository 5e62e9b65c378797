import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claimDrop, listClaimed } from '../../src/workspace/claim-drop.js';
import { OTHER_FILE_SYSTEM } from '../support/other-file-system.js';
import { ACADEMY, dropped, openedWorkspace, temporaryFolder, touch } from './opened-workspace.js';

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

test('of many that claim one file, one gets it', async () => {
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

describe.runIf(OTHER_FILE_SYSTEM !== null)('an inbox on another file system', () => {
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

  test('a file that vanished is nobody’s fault and leaves nothing', async () => {
    const inbox = temporaryFolder(OTHER_FILE_SYSTEM ?? undefined);
    const paths = await openedWorkspace(inbox);
    const file = await dropped(paths, 'a.csv', 'x', inbox);
    await claimDrop(file, paths);
    expect(await claimDrop(file, paths)).toBeNull();
    expect(readdirSync(join(paths.processing, 'academy'))).toHaveLength(1);
  });
});
