import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportRow } from '../support/exports.js';
import { killedAtMoments } from '../support/killed-copies.js';
import {
  afterKill,
  correctedFile,
  finishedOnce,
  ODD_ROWS,
  prepared,
  REASON,
  RESTAGE,
  statesOf,
  UNMOVED,
} from '../support/killed-rows.js';
import { sampled } from '../support/samples.js';
import { statsOf } from '../support/sandbox-stats.js';

it.each([RESTAGE])(
  '$kind ($traced), killed at any moment, is finished once by whichever command comes next',
  { timeout: 300_000 },
  finishedOnce,
);

/** In the order in which they come. */
const MOMENTS_OF_A_RETURNED_FILE = [
  'drop-claimed:1',
  'decision-opened:1',
  'page-committed:1',
  'decision-carried-out:1',
  'drop-placed:1',
  'claimed-removed:1',
  'drop-put-away:1',
] as const;

it('a returned file whose run is killed at any moment is decided once, and archived', async () => {
  const returned = await prepared();
  renameSync(correctedFile(returned), join(returned.root, 'inbox/academy/mended.csv'));
  const moments = sampled(MOMENTS_OF_A_RETURNED_FILE);
  const copies = await killedAtMoments(returned, moments, 'run', '--no-push');
  expect(copies.size).toBe(moments.length);
  for (const [moment, copy] of copies) {
    const workspace = await afterKill(copy);
    await workspace.run('--no-push');
    const { balanced } = await workspace.books();
    expect({
      moment,
      states: statesOf(workspace),
      decisions: workspace.query('select kind, result from decision'),
      processing: workspace.files('processing'),
      archive: workspace.files('archive/academy'),
      balanced,
    }).toEqual({
      moment,
      states: { ...UNMOVED, waiting: ODD_ROWS },
      decisions: [
        { kind: 'correct', result: JSON.stringify({ moved: 0, made: ODD_ROWS, resolved: ODD_ROWS }) },
      ],
      processing: [],
      archive: expect.arrayContaining(['correction-1-mended.csv']),
      balanced: true,
    });
  }
});

it('a corrected row whose process died is sent once', async () => {
  const workspace = await prepared();
  const command = ['correct', 'odd.csv:506', '--set', 'Status=Completed', ...REASON];
  await workspace.startWith({ REGISTRAR_FAILPOINT: 'page-committed' }, ...command).ended;
  await workspace.run();
  await workspace.run();
  const contents = workspace.sandbox.platform.completions().map(({ attributes }) => attributes['content-id']);
  expect(contents.sort()).toEqual([exportRow(900).course, 'ODD-504'].sort());
  expect(statsOf(workspace.sandbox.platform).repeatedWrites).toBe(0);
});
