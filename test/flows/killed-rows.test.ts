import { expect, it } from 'vitest';
import { exportRow } from '../support/exports.js';
import { BECAUSE, finishedOnce, KILLED, LEFT, prepared, statesOf } from '../support/killed-rows.js';

it.each(KILLED)(
  '$kind ($traced), killed at any moment, is finished once by whichever command comes next',
  { timeout: 300_000 },
  finishedOnce,
);

it('a correction whose process died before anything was decided leaves nothing behind', async () => {
  const workspace = await prepared();
  const command = ['correct', 'held.csv:590', '--set', 'Email=ada@example.org', ...BECAUSE];
  const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: 'correction-kept' }, ...command).ended;
  expect(killed.code).toBeNull();
  expect(workspace.files('processing')).toEqual([
    expect.stringMatching(/^academy\/correction-[0-9a-f]{16}-held-590\.attention\.xlsx$/),
  ]);
  await workspace.run('--no-push');
  expect(workspace.files('processing')).toEqual([]);
  expect(workspace.query('select * from decision')).toEqual([]);
  expect(statesOf(workspace)).toEqual(LEFT);
});

it('a corrected row whose process died is sent once', async () => {
  const workspace = await prepared();
  const command = ['correct', 'odd.csv:590', '--set', 'Status=Completed', ...BECAUSE];
  await workspace.startWith({ REGISTRAR_FAILPOINT: 'batch-committed' }, ...command).ended;
  await workspace.run();
  await workspace.run();
  const contents = workspace.sandbox.platform.completions().map(({ attributes }) => attributes['content-id']);
  expect(contents.sort()).toEqual([exportRow(900).course, 'ODD-588'].sort());
  expect(workspace.sandbox.platform.stats().repeatedWrites).toBe(0);
});
