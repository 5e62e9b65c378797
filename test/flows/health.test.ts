import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { testWorkspace, until } from '../support/workspace.js';

const health = ['status', '--health'] as const;

it('a health check fails while the secret is wrong, says why with --quiet too, and passes once it is right', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.cliWith({ REGISTRAR_CLIENT_SECRET: 'wrong' }, 'run');
  const shown = await workspace.cli(...health);
  expect(shown.code).toBe(4);
  expect(shown.stdout).toMatch(
    /^Environment main can't be used since .*3 rows wait for it.*registrar doctor asks again\.\n$/,
  );
  const quiet = await workspace.cli(...health, '--quiet');
  expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([4, '', shown.stdout]);
  await workspace.cli('run');
  const well = await workspace.cli(...health);
  expect([well.code, well.stdout]).toEqual([0, 'Work gets done.\n']);
  expect((await workspace.cli(...health, '--quiet')).stderr).toBe('');
});

it('a service whose every run breaks off is unhealthy at once, and says so too once its schedule was due', async () => {
  const workspace = await testWorkspace({ schedule: [{ cron: '* * * * * *', do: ['run'] }] });
  await workspace.cli('status');
  const ledger = new BetterSqlite3(join(workspace.root, 'registrar.db'));
  ledger.exec("create trigger broken before insert on run begin select raise(abort, 'on purpose'); end");
  const daemon = workspace.start('schedule');
  await until('a run has broken off', () => daemon.stderr().includes('on purpose'));
  await until(
    'its slot is over',
    () => workspace.query('select 1 from job_slot where ending is not null').length > 0,
  );
  const early = await workspace.cli(...health);
  expect([early.code, early.stdout]).toEqual([
    1,
    expect.stringMatching(/^The line of the schedule "run at \* \* \* \* \* \*" failed at [^\n]*\n$/),
  ]);
  ledger.exec(`update ledger set created_at = '2026-01-01T00:00:00.000Z';
    update service set started_at = '2026-01-01T00:00:00.000Z'`);
  ledger.close();
  const { code, stdout } = await workspace.cli(...health);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^No run has got through since .*although the schedule was due/);
  daemon.kill('SIGTERM');
  await daemon.ended;
});
