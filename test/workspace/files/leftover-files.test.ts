import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryPath, tidyWorkspace } from '../../../src/workspace/files/leftover-files.js';
import { openedWorkspace } from '../opened-workspace.js';

test('only the unfinished files of dead processes are deleted, from all folders', async () => {
  const paths = await openedWorkspace();
  const own = basename(temporaryPath('.'));
  const dead = own.replace(String(process.pid), String(spawnSync(process.execPath, ['--version']).pid));
  const folders = [
    join(paths.processing, 'academy'),
    join(paths.archive, 'academy'),
    join(paths.rejected, 'academy'),
    join(paths.reports, '2026-03-02T08-00-00Z-run-1'),
  ];
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    for (const name of [own, dead, 'a.csv', '.1.tmp']) writeFileSync(join(folder, name), '');
  }
  writeFileSync(join(paths.root, dead), '');
  await tidyWorkspace(paths);
  expect(readdirSync(paths.root)).not.toContain(dead);
  for (const folder of folders) expect(readdirSync(folder).sort()).toEqual([own, '.1.tmp', 'a.csv'].sort());
});

test('no two unfinished files have one name', () => {
  expect(temporaryPath('/folder')).not.toBe(temporaryPath('/folder'));
  expect(dirname(temporaryPath('/folder'))).toBe('/folder');
});
