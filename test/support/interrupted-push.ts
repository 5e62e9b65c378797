import { expect } from 'vitest';
import { csvOf, exportRows } from './exports.js';
import { documentOf, testWorkspace, until } from './workspace.js';

/** Sends a signal to a run that delivers, and expects of it an end with this code that leaves nothing open. */
export async function interruptedPush(signal: NodeJS.Signals, exit: number): Promise<void> {
  const workspace = await testWorkspace({
    sandbox: { faults: { latencyMs: 150 }, quota: { requests: 20, perMs: 500 } },
  });
  workspace.drop('a.csv', csvOf(exportRows(60)));
  const running = workspace.start('run', '--json');
  await until('10 requests have arrived', () => workspace.posts() >= 10);
  running.kill(signal);
  const result = await running.ended;

  expect(result.code).toBe(exit);
  expect(result.stderr).toContain('Stopping');
  const report = documentOf(result);
  expect(report.exit).toBe('interrupted');
  const accepted = workspace.sandbox.platform.completions().length;
  expect(accepted).toBeLessThan(60);
  expect(report.states).toMatchObject({ accepted, waiting: 60 - accepted, sending: 0 });
  expect(report.attempts).toMatchObject({
    total: accepted,
    responses: accepted,
    noResponses: 0,
    open: 0,
  });
  expect(workspace.query('select ending as end from run')).toEqual([{ end: 'interrupted' }]);

  expect((await workspace.run()).code).toBe(0);
  expect(workspace.posts()).toBe(60);
  expect(workspace.sandbox.platform.completions()).toHaveLength(60);
}
