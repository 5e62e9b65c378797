import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { interruptedPush } from '../support/interrupted-push.js';
import { isStopped } from '../support/is-stopped.js';
import { testWorkspace, until } from '../support/workspace.js';

describe('a signal', () => {
  it.each([['SIGINT', 130]] as const)(
    '%s while pushing ends the run with %i: what was under way is answered, the rest waits',
    interruptedPush,
  );

  it('SIGTERM while staging leaves the drop unseen, and the next run finishes it', async () => {
    const workspace = await testWorkspace();
    workspace.drop('large.csv', csvOf(exportRows(3_100)));
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
      rows: 3_101,
      waiting: 3_100,
    });
  });
});
