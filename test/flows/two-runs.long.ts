import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { statsOf } from '../support/sandbox-stats.js';
import { testWorkspace, until } from '../support/workspace.js';

/** Thirty times the real rate. a wait for the ledger costs a permit its own length, so the period isn't too short. */
const QUOTA = { requests: 350, perMs: 10_000 };

it('two processes push at their rate while a third stages 300,000 rows', async () => {
  const workspace = await testWorkspace({
    sandbox: { quota: QUOTA },
    environments: { east: {}, west: {}, bulk: {} },
    sources: {
      academy: { environment: 'east' },
      campus: { environment: 'west' },
      // So many minutes reach into the hour that summer time leaves out.
      archive: { environment: 'bulk', timeZone: 'UTC' },
    },
  });
  workspace.drop('a.csv', csvOf(exportRows(5_000)), 'academy');
  workspace.drop('b.csv', csvOf(exportRows(5_000, 5_000)), 'campus');
  const pushing = ['academy', 'campus'].map((source) => workspace.start('run', '--source', source));
  await until('both push', () => {
    const [pushers] = workspace.query<{ count: number }>(
      "select count(*) as count from lease where name like 'push:%' and owner is not null",
    );
    return pushers?.count === 2 && workspace.posts() > 100;
  });

  workspace.drop('bulk.csv', csvOf(exportRows(300_000)), 'archive');
  const sentBefore = workspace.posts();
  const startedMs = performance.now();
  const staging = await workspace.start('run', '--no-push', '--source', 'archive', '--verbose').ended;
  const lastedMs = performance.now() - startedMs;
  const sent = workspace.posts() - sentBefore;
  for (const process of pushing) process.kill('SIGTERM');
  const ends = await Promise.all(pushing.map(({ ended }) => ended));

  expect(staging.code).toBe(0);
  expect(ends.map(({ code }) => code)).toEqual([143, 143]);
  for (const { stderr } of [staging, ...ends]) expect(stderr).not.toMatch(/SQLITE_BUSY|locked/);
  const full = (lastedMs / QUOTA.perMs) * QUOTA.requests;
  // A bound that a pusher starved of the ledger breaks; four processes share the machine here, so it is no measurement.
  expect(sent / full).toBeGreaterThan(0.9);
  console.log(`kept ${((100 * sent) / full).toFixed(0)} % of the rate while 300,000 rows were staged`);
  expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
  expect(workspace.query("select state, rows_read as rows from drop_file where source = 'archive'")).toEqual([
    { state: 'published', rows: 300_001 },
  ]);
  expect((await workspace.books()).balanced).toBe(true);
});
