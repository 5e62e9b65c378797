import { expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { documentOf, testWorkspace } from '../support/workspace.js';

const GONE = 'gone@example.org';

it('dismissed rows are kept with the reason, no longer need attention, and are not sent by a rerun of all', async () => {
  const workspace = await testWorkspace({ sandbox: { learners: { unknown: [GONE] } } });
  workspace.drop('a.csv', csvOf([...exportRows(2), exportRow(10, { email: GONE })]));
  expect((await workspace.run()).code).toBe(1);

  const dry = await workspace.cli('dismiss', '--reason', 'learner-unknown', '--dry-run', '--json');
  expect(documentOf<{ selected: unknown[] }>(dry).selected).toHaveLength(1);
  expect(workspace.states()).toMatchObject({ rejected: 1 });

  const unexplained = await workspace.cli('dismiss', '--all');
  expect(unexplained).toMatchObject({ code: 2, stderr: expect.stringContaining('--because') });

  const dismissed = await workspace.cli('dismiss', '--all', '--because', 'left the company', '--json');
  expect(documentOf(dismissed)).toEqual({ decision: 1, moved: 1, resolved: 0, files: [] });
  expect(workspace.states()).toEqual({ accepted: 2, dismissed: 1 });
  expect(workspace.query('select kind, because, who is not null as named from decision')).toEqual([
    { kind: 'dismiss', because: 'left the company', named: 1 },
  ]);

  const rerun = await workspace.cli('rerun', '--all', '--json');
  expect(documentOf<{ selected: unknown[] }>(rerun).selected).toEqual([]);
  const report = await workspace.cli('report', '--json');
  expect(documentOf(report)).toMatchObject({ balanced: true, attention: 0 });
  expect(workspace.posts()).toBe(3);
});

it('a waiting row can be dismissed if its state is named, and an accepted one can’t', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(2)));
  await workspace.cli('run', '--no-push');
  const dismissed = await workspace.cli('dismiss', '--state', 'waiting', '--row', '1', '--because', 'a test');
  expect(dismissed.code).toBe(0);
  await workspace.run();
  expect(workspace.states()).toEqual({ accepted: 1, dismissed: 1 });
  const refused = await workspace.cli('dismiss', '--state', 'accepted', '--row', '2', '--because', 'a test');
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("can't be dismissed") });
});
