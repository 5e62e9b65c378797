import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ClaimedDrop } from '../../../src/workspace/claimed/claim-drop.js';
import * as moving from '../../../src/workspace/claimed/move-claimed.js';
import type { WorkspacePaths } from '../../../src/workspace/folders.js';
import { IS_ROOT, NOBODY } from '../../support/users.js';
import { dropped, mustClaim, openedWorkspace, withoutRights } from '../opened-workspace.js';

describe('archive', () => {
  test('a drop is archived under its id and name, for its owner alone', async () => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'März\n1.csv', 'bytes');
    chmodSync(claimed.path, 0o644);
    const path = await archiveDrop(claimed, paths, 17);
    expect(path).toBe(join(paths.archive, 'academy', '17-März\n1.csv'));
    expect(readFileSync(path, 'utf8')).toBe('bytes');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(paths.archive, 'academy')).mode & 0o777).toBe(0o700);
    expect(existsSync(claimed.path)).toBe(false);
  });

  test('a name too long with its id is shortened', async () => {
    const paths = await openedWorkspace();
    const path = await archiveDrop(await claim(paths, `${'x'.repeat(251)}.csv`), paths, 17);
    expect(basename(path)).toMatch(/^17-x+…x+\.csv$/);
  });

  test('what is there already is never overwritten', async () => {
    const paths = await openedWorkspace();
    await archiveDrop(await claim(paths, 'a.csv', 'first'), paths, 17);
    const path = await archiveDrop(await claim(paths, 'a.csv', 'other'), paths, 17);
    expect(basename(path)).toBe('17-a (2).csv');
    expect(contents(join(paths.archive, 'academy'))).toEqual({
      '17-a.csv': 'first',
      '17-a (2).csv': 'other',
    });
  });

  test.each([
    ['before the claimed file was removed', (from: string, to: string) => linkSync(from, to)],
    ['when a copy had been made', (from: string, to: string) => copyFileSync(from, to)],
  ])('a crash %s is repaired by repeating it', async (_, crashed) => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'a.csv', 'bytes');
    mkdirSync(join(paths.archive, 'academy'));
    crashed(claimed.path, join(paths.archive, 'academy', '17-a.csv'));
    await archiveDrop(claimed, paths, 17);
    expect(contents(join(paths.archive, 'academy'))).toEqual({ '17-a.csv': 'bytes' });
    expect(existsSync(claimed.path)).toBe(false);
  });

  test('repeating it after it is complete changes nothing', async () => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'a.csv', 'bytes');
    const path = await archiveDrop(claimed, paths, 17);
    expect(await archiveDrop(claimed, paths, 17)).toBe(path);
    expect(contents(join(paths.archive, 'academy'))).toEqual({ '17-a.csv': 'bytes' });
  });

  test('a removed drop is distinguished from one that was archived', async () => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'a.csv');
    rmSync(claimed.path);
    expect(await moving.archiveDrop(claimed, paths, 17)).toBeNull();
    expect(await moving.rejectDrop(claimed, paths, 'why')).toBeNull();
  });

  test('a file without permissions is archived as well', async () => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'a.csv', 'bytes');
    chmodSync(claimed.path, 0);
    if (IS_ROOT) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, paths.root]);
    const path = await withoutRights(async () => archiveDrop(claimed, paths, 17));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('the rights of a file that has another name elsewhere stay as they are', async () => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'a.csv', 'bytes');
    chmodSync(claimed.path, 0o644);
    linkSync(claimed.path, join(paths.root, 'other'));
    const path = await archiveDrop(claimed, paths, 17);
    expect(statSync(join(paths.root, 'other')).mode & 0o777).toBe(0o644);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(contents(join(paths.archive, 'academy'))).toEqual({ '17-a.csv': 'bytes' });
  });

  test('a file of another user is archived as our own', { tags: ['root'] }, async () => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'a.csv', 'bytes');
    chmodSync(claimed.path, 0o644);
    for (const path of [paths.root, paths.archive, paths.processing, join(paths.processing, 'academy')]) {
      chownSync(path, NOBODY, NOBODY);
    }
    const path = await withoutRights(async () => archiveDrop(claimed, paths, 17));
    expect(statSync(path)).toMatchObject({ uid: NOBODY });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(contents(join(paths.archive, 'academy'))).toEqual({ '17-a.csv': 'bytes' });
    expect(existsSync(claimed.path)).toBe(false);
  });
});

describe('reject', () => {
  test('a drop is moved to rejected/ with the reason beside it', async () => {
    const paths = await openedWorkspace();
    const path = await rejectDrop(await claim(paths, 'a.csv', 'bytes'), paths, 'The workbook is encrypted.');
    expect(path).toBe(join(paths.rejected, 'academy', 'a.csv'));
    expect(contents(join(paths.rejected, 'academy'))).toEqual({
      'a.csv': 'bytes',
      'a.csv.reason.txt': 'The workbook is encrypted.\n',
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}.reason.txt`).mode & 0o777).toBe(0o600);
  });

  test('another file of the same name gets a number', async () => {
    const paths = await openedWorkspace();
    for (const content of ['one', 'two', 'three'])
      await rejectDrop(await claim(paths, 'a.csv', content), paths, content);
    expect(contents(join(paths.rejected, 'academy'))).toEqual({
      'a.csv': 'one',
      'a.csv.reason.txt': 'one\n',
      'a (2).csv': 'two',
      'a (2).csv.reason.txt': 'two\n',
      'a (3).csv': 'three',
      'a (3).csv.reason.txt': 'three\n',
    });
  });

  test('the same bytes again keep one copy, with the latest reason', async () => {
    const paths = await openedWorkspace();
    await rejectDrop(await claim(paths, 'a.csv', 'one'), paths, 'first');
    await rejectDrop(await claim(paths, 'a.csv', 'one'), paths, 'second');
    expect(contents(join(paths.rejected, 'academy'))).toEqual({
      'a.csv': 'one',
      'a.csv.reason.txt': 'second\n',
    });
  });

  test('a crash before the reason was written is repaired by repeating it', async () => {
    const paths = await openedWorkspace();
    const claimed = await claim(paths, 'a.csv', 'bytes');
    mkdirSync(join(paths.rejected, 'academy'));
    linkSync(claimed.path, join(paths.rejected, 'academy', 'a.csv'));
    await rejectDrop(claimed, paths, 'why');
    await rejectDrop(claimed, paths, 'why');
    expect(contents(join(paths.rejected, 'academy'))).toEqual({
      'a.csv': 'bytes',
      'a.csv.reason.txt': 'why\n',
    });
  });

  test('names of every length leave room for the reason', async () => {
    const paths = await openedWorkspace();
    for (const content of ['one', 'two']) {
      const path = await rejectDrop(await claim(paths, `${'メ'.repeat(83)}.csv`, content), paths, content);
      expect(readFileSync(`${path}.reason.txt`, 'utf8')).toBe(`${content}\n`);
    }
    expect(readdirSync(join(paths.rejected, 'academy'))).toHaveLength(4);
  });
});

/** Archives a claimed drop. */
async function archiveDrop(...drop: Parameters<typeof moving.archiveDrop>): Promise<string> {
  return (await moving.archiveDrop(...drop)) ?? expect.fail('there is no such file');
}

/** Rejects a claimed drop. */
async function rejectDrop(...drop: Parameters<typeof moving.rejectDrop>): Promise<string> {
  return (await moving.rejectDrop(...drop)) ?? expect.fail('there is no such file');
}

async function claim(paths: WorkspacePaths, name: string, content?: string): Promise<ClaimedDrop> {
  return mustClaim(await dropped(paths, name, content), paths);
}

function contents(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}
