import { expect, it, onTestFinished } from 'vitest';
import { closeWorkspace, openWorkspace, readWorkspace } from '../../../../src/actions/context.js';
import { csvOf, exportRows } from '../../../support/exports.js';
import { fingerprintIn, peopledConsole, read } from '../../../support/peopled-console.js';
import { testWorkspace, until } from '../../../support/workspace.js';

const ENV = { REGISTRAR_CLIENT_ID: 'sandbox-client', REGISTRAR_CLIENT_SECRET: 'sandbox-secret' };

it('rerun rows wait at once, are delivered after the answer, and the books balance', async () => {
  const workspace = await testWorkspace({ sandbox: { learners: { unknown: ['learner3@example.org'] } } });
  workspace.drop('a.csv', csvOf(exportRows(5)));
  await workspace.run();
  expect(workspace.states()).toMatchObject({ accepted: 4, rejected: 1 });

  const context = await openWorkspace(readWorkspace(workspace.root, { env: ENV, cwd: workspace.root }));
  onTestFinished(() => closeWorkspace(context));
  const { as, failures } = await peopledConsole(context);
  const ada = await as('operator');
  const path = '/decide/rerun?states=rejected';
  const page = await read(await ada.get(path));
  expect(page.text).toContain('1 row, 1 request');
  const posts = workspace.posts();
  const fingerprint = fingerprintIn(page);
  const done = await read(await ada.post(path, { fingerprint, because: '' }));
  expect([done.status, done.to]).toEqual([303, '/runs/2?decision=1']);
  const run = await read(await ada.get(done.to ?? ''));
  expect(run.text).toContain('Decision 1 is recorded. This run delivers its rows.');
  await until('the row was sent again', () => workspace.posts() === posts + 1);
  await until('it has its answer', () => workspace.states().rejected === 1);
  expect(workspace.query('select kind, who, door, because from decision')).toEqual([
    { kind: 'rerun', who: 'ada', door: 'console', because: null },
  ]);
  await until(
    'the run has ended',
    () => workspace.query<{ n: number }>('select count(*) as n from run where ended_at is null')[0]?.n === 0,
  );
  expect(failures).toEqual([]);
  expect((await workspace.books()).balanced).toBe(true);
});
