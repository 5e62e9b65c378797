import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportRow } from '../support/exports.js';
import {
  BECAUSE,
  finishedOnce,
  KILLED,
  LEFT,
  mendedFile,
  ODD_ROWS,
  prepared,
  statesOf,
} from '../support/killed-rows.js';
import { sampled } from '../support/samples.js';
import { statsOf } from '../support/sandbox-stats.js';

it.each(KILLED)(
  '$kind ($traced), killed at any moment, is finished once by whichever command comes next',
  { timeout: 300_000 },
  finishedOnce,
);

it.each(
  sampled([
    'drop-claimed',
    'decision-opened',
    'page-committed',
    'decision-carried-out',
    'drop-placed',
    'claimed-removed',
    'drop-put-away',
  ]),
)('a returned file whose run is killed at %s is decided once, and archived', async (moment) => {
  const workspace = await prepared();
  renameSync(mendedFile(workspace), join(workspace.root, 'inbox/academy/mended.csv'));
  const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: moment }, 'run', '--no-push').ended;
  expect(killed.code).toBeNull();
  await workspace.run('--no-push');
  expect(statesOf(workspace)).toEqual({ ...LEFT, waiting: ODD_ROWS });
  expect(workspace.query('select kind, result from decision')).toEqual([
    { kind: 'correct', result: JSON.stringify({ moved: 0, made: ODD_ROWS, resolved: ODD_ROWS }) },
  ]);
  expect(workspace.files('processing')).toEqual([]);
  expect(workspace.files('archive/academy')).toContain('correction-1-mended.csv');
  expect((await workspace.books()).balanced).toBe(true);
});

it('a corrected row whose process died is sent once', async () => {
  const workspace = await prepared();
  const command = ['correct', 'odd.csv:506', '--set', 'Status=Completed', ...BECAUSE];
  await workspace.startWith({ REGISTRAR_FAILPOINT: 'page-committed' }, ...command).ended;
  await workspace.run();
  await workspace.run();
  const contents = workspace.sandbox.platform.completions().map(({ attributes }) => attributes['content-id']);
  expect(contents.sort()).toEqual([exportRow(900).course, 'ODD-504'].sort());
  expect(statsOf(workspace.sandbox.platform).repeatedWrites).toBe(0);
});
