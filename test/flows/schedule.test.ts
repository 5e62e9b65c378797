import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { testWorkspace, until } from '../support/workspace.js';

it('the schedule takes in and delivers what arrives while it runs, one run after another, and ends on a signal', async () => {
  const workspace = await testWorkspace({
    // Each run that delivers lasts longer than the second between two of its times.
    sandbox: { faults: { latencyMs: 1_300 } },
    schedule: [{ cron: '* * * * * *', do: ['run'] }],
  });
  const { platform } = workspace.sandbox;
  const daemon = workspace.start('schedule');
  await until('the schedule has started', () => daemon.stderr().includes('schedule started'));
  for (const n of [0, 1]) {
    workspace.drop(`drop ${n}.csv`, csvOf(exportRows(3, n * 3)));
    await until(`drop ${n} is delivered`, () => platform.completions().length === (n + 1) * 3);
  }
  workspace.drop('last.csv', csvOf(exportRows(3, 100)));
  await until('the last drop is on its way', () => workspace.posts() > 6);
  const toldMs = performance.now();
  daemon.kill('SIGTERM');
  const { code, stdout } = await daemon.ended;

  expect(code).toBe(143);
  expect(stdout).toBe('');
  expect(performance.now() - toldMs).toBeLessThan(5_000);
  expect(workspace.query("select state from submission where state = 'sending'")).toEqual([]);
  const runs = workspace.query<{ began: string; ended: string | null; trigger: string }>(
    'select started_at as began, ended_at as ended, trigger from run order by run_id',
  );
  expect(runs.length).toBeGreaterThanOrEqual(3);
  expect(new Set(runs.map(({ trigger }) => trigger))).toEqual(new Set(['cron']));
  for (const [index, { began }] of runs.entries()) {
    const before = runs[index - 1];
    if (before) expect((before.ended ?? 'not ended') <= began, `run ${index + 1} began too early`).toBe(true);
  }
  expect((await workspace.books()).balanced).toBe(true);
});

it('a schedule without entries is refused with an example', async () => {
  const workspace = await testWorkspace();
  const { code, stderr } = await workspace.cli('schedule');
  expect(code).toBe(2);
  expect(stderr).toMatch(/registrar\.yaml has no schedule\. Add one, such as: schedule: .*cron/);
});
