import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/domain/clock.js';
import type { WorkspacePaths } from '../../../src/workspace/folders.js';
import { listInbox, waitUntilStable } from '../../../src/workspace/inbox/list-inbox.js';
import { ACADEMY, dropped, openedWorkspace, touch } from '../opened-workspace.js';

test('a file that has rested long enough is stable at one look', async () => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, 'a.csv');
  const clock = clockAt(file.ctimeMs + 2000);
  expect(await waitUntilStable([file], 2000, clock)).toEqual([file]);
  expect(clock.slept).toEqual([]);
});

test('an old mtime alone proves nothing: a copy can keep it', async () => {
  const paths = await openedWorkspace();
  await dropped(paths, 'a.csv');
  touch(`${paths.inbox(ACADEMY)}/a.csv`, 1000);
  const [file] = await take(paths);
  const clock = clockAt((file?.ctimeMs ?? 0) + 500);
  await waitUntilStable(file ? [file] : [], 2000, clock);
  expect(clock.slept).toEqual([1500]);
});

test('younger files are waited for together, once, for the longest time any needs', async () => {
  const paths = await openedWorkspace();
  const files = [await dropped(paths, 'a.csv'), await dropped(paths, 'b.csv')];
  const [old, young] = [
    { ...files[0], ctimeMs: 9_000, mtimeMs: 9_000 },
    { ...files[1], ctimeMs: 9_900, mtimeMs: 9_000 },
  ] as typeof files;
  const clock = clockAt(10_000);
  await waitUntilStable([old, young] as typeof files, 2000, clock);
  expect(clock.slept).toEqual([1900]);
});

test('a file from the future is waited for as long as a new one', async () => {
  const paths = await openedWorkspace();
  await dropped(paths, 'a.csv');
  touch(`${paths.inbox(ACADEMY)}/a.csv`, 9e12);
  const files = await take(paths);
  const clock = clockAt(5e12);
  expect(await waitUntilStable(files, 2000, clock)).toMatchObject([{ name: 'a.csv' }]);
  expect(clock.slept).toEqual([2000]);
});

test.each([
  ['grows', (path: string) => appendFileSync(path, 'more')],
  ['is touched', (path: string) => touch(path, 1000)],
  [
    'is replaced by one of the same size',
    (path: string) => {
      writeFileSync(`${path}.new`, 'a,b\n');
      renameSync(`${path}.new`, path);
    },
  ],
])('a file that %s meanwhile is left for the next run, the others are taken', async (_, change) => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, 'a.csv');
  await dropped(paths, 'b.csv');
  const files = await take(paths);
  const clock = clockAt(file.ctimeMs, () => change(file.path));
  const stable = await waitUntilStable(files, 2000, clock);
  expect(stable.map(({ name }) => name)).toEqual(['b.csv']);
});

test('a file that another process takes meanwhile is not reported', async () => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, 'a.csv');
  const clock = clockAt(file.ctimeMs, () => rmSync(file.path));
  expect(await waitUntilStable([file], 2000, clock)).toEqual([]);
});

test('when the wait is cancelled, the files it waited for are not taken', async () => {
  const paths = await openedWorkspace();
  const file = await dropped(paths, 'a.csv');
  const stop = new AbortController();
  const clock = clockAt(file.ctimeMs, () => stop.abort());
  expect(await waitUntilStable([file], 2000, clock, stop.signal)).toEqual([]);
});

async function take(paths: WorkspacePaths) {
  return listInbox(ACADEMY, paths);
}

/** A clock whose sleep passes at once; `meanwhile` happens during it. */
function clockAt(nowMs: number, meanwhile: () => void = () => {}): Clock & { readonly slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    bootId: 'test',
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      slept.push(ms);
      meanwhile();
    },
  };
}
