import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { isStopped } from '../support/is-stopped.js';
import { documentOf, testWorkspace, until } from '../support/workspace.js';

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s while pushing ends the run with %i: what was under way is answered, the rest waits',
    async (signal, exit) => {
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
    },
  );

  it('SIGTERM while staging leaves the drop unseen, and the next run finishes it', async () => {
    const workspace = await testWorkspace();
    workspace.drop('large.csv', csvOf(exportRows(4_500)));
    const running = workspace.startWith(
      { REGISTRAR_FAILPOINT: 'batch-committed:1:stop' },
      'run',
      '--no-push',
    );
    await until('a batch is staged', () => isStopped(running.pid));
    running.kill('SIGTERM');
    running.kill('SIGCONT');
    expect((await running.ended).code).toBe(143);
    expect(workspace.query('select state from drop_file')).toEqual([{ state: 'staging' }]);
    const { code, report } = await workspace.run('--no-push');
    expect({ code, rows: report.rows, waiting: report.states.waiting }).toEqual({
      code: 0,
      rows: 4_501,
      waiting: 4_500,
    });
  });
});
