import { mkdirSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { readBackupTest } from '../../src/actions/upkeep/backup-test.js';
import { csvOf, exportRows } from '../support/exports.js';
import { begun, EVERY_SECOND, SELDOM, started } from '../support/lasting-service.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { testWorkspace, until } from '../support/workspace.js';

it('two services work on each slot once, and each slot is in the ledger', async () => {
  const workspace = await testWorkspace({
    schedule: [{ cron: EVERY_SECOND, timeZone: 'UTC', do: ['report'] }],
  });
  const [own, here] = [await started(workspace), await begun(workspace)];
  const slots = () =>
    workspace.query<{ at: string; tries: number }>(
      "select slot_at as at, tries from job_slot where ending = 'done' order by slot_at",
    );
  await expect.poll(() => slots().length, SELDOM).toBeGreaterThanOrEqual(2);
  own.kill('SIGTERM');
  here.stop();
  const logs = (await Promise.all([own.ended, here.ended])).flatMap(({ stderr }) =>
    stderr
      .split('\n')
      .filter((line) => line.includes('"report done"'))
      .map((line) => JSON.parse(line) as { until: string; folder: string }),
  );
  expect(slots().every(({ tries }) => tries === 1)).toBe(true);
  // The slot in whose work the signal came may have its report and not be over.
  const ofDone = logs.filter(({ until }) => slots().some(({ at }) => at === until));
  expect(ofDone.map(({ until }) => until).sort()).toEqual(slots().map(({ at }) => at));
  const pages = logs.map(({ folder }) =>
    join(relative(join(workspace.root, 'reports'), folder), 'report.html'),
  );
  expect(workspace.files('reports')).toEqual(expect.arrayContaining(pages));
  expect(new Set(pages).size).toBe(pages.length);
});

it('a service resumes the delivery of a service that died', async () => {
  const workspace = await testWorkspace({
    // A wait as after an outage would be longer than the test. For the deadline the requests of the one that died count as under way.
    environments: { main: { outage: '10m', deadline: '5s' } },
    // Some hundred seconds for the drop.
    sandbox: { quota: { requests: 2, perMs: 1_000 } },
  });
  const first = await started(workspace);
  workspace.drop('a.csv', csvOf(exportRows(200)));
  await until('the first rows are delivered', () => workspace.posts() > 1);
  const second = await begun(workspace);
  workspace.drop('b.csv', csvOf(exportRows(3, 1_000)));
  const over = () => workspace.query('select 1 from run where ended_at is not null').length;
  await expect.poll(over, SELDOM).toBeGreaterThanOrEqual(2);
  const looked = performance.now() + 3_000;
  await until('the second one has looked whether it should deliver', () => performance.now() > looked);
  first.kill('SIGKILL');
  await first.ended;
  const before = workspace.posts();
  await until('the other one goes on', () => workspace.posts() > before + 3);
  second.stop();
  await second.ended;
  expect((await workspace.books()).balanced).toBe(true);
});

it('backups are made, tested and thinned out by the clock', onlyForFiles('its backups'), async () => {
  const workspace = await testWorkspace({
    schedule: [{ cron: EVERY_SECOND, timeZone: 'UTC', do: ['backup'], folder: 'backups', keep: 1 }],
  });
  mkdirSync(join(workspace.root, 'backups'));
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run();
  const first = 'registrar-20260101T000000Z.db';
  expect((await workspace.cli('backup', join('backups', first))).code).toBe(0);
  const service = await begun(workspace);
  const copies = () => workspace.files('backups').filter((name) => /^registrar-\d{8}T\d{6}Z\.db$/.test(name));
  await until('it was done', () => service.stderr().includes('"msg":"backup done"'));
  service.stop();
  expect((await service.ended).stderr).not.toContain('"level":50');
  expect(copies()).not.toContain(first);
  expect(copies().length).toBeGreaterThan(0);
  expect(copies().length).toBeLessThanOrEqual(2);
  expect(readBackupTest(workspace.root)).toMatchObject({
    file: expect.stringContaining(join(workspace.root, 'backups')),
    fault: null,
  });
});

it('old content is purged, and the ledger is checked by the clock', async () => {
  const workspace = await testWorkspace({
    schedule: [{ cron: EVERY_SECOND, timeZone: 'UTC', do: ['purge', 'check'], olderThan: '400d' }],
  });
  for (const name of ['2020-01-02T03-04-05Z', '2020-01-02T03-04-05Z-2', 'of my own']) {
    mkdirSync(join(workspace.root, 'reports', name), { recursive: true });
  }
  workspace.drop('a.csv', csvOf(exportRows(3)));
  // Nothing is purged while a file is staged.
  await workspace.run();
  const service = await begun(workspace);
  const done = (what: string) => service.stderr().split(`"msg":"${what} done"`).length - 1;
  await until('each was done', () => done('check') >= 1 && done('purge') >= 1);
  service.stop();
  const { stderr } = await service.ended;
  expect(stderr).not.toContain('"level":50');
  const reports = readdirSync(join(workspace.root, 'reports'));
  expect(reports.filter((name) => name.startsWith('2020'))).toEqual([]);
  expect(reports).toContain('of my own');
});
