import { readdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { threadQueries } from '../../src/console/queries/query-pool.js';
import { testWorkspace } from '../support/workspace.js';

/** Where each thread loads a few bundled files, in place of hundreds of modules. */
const PROGRAM = new URL('../../dist/program/', import.meta.url);

/** The function of the built program: threads can't be started from its source. */
async function builtThreadQueries(): Promise<typeof threadQueries> {
  for (const name of readdirSync(PROGRAM).filter((file) => file.startsWith('query-pool-'))) {
    const exported = Object.values((await import(new URL(name, PROGRAM).href)) as Record<string, unknown>);
    const found = exported.find((one) => typeof one === 'function' && one.name === 'threadQueries');
    if (found !== undefined) return found as typeof threadQueries;
  }
  throw new Error('no file of dist/program exports threadQueries');
}

it('queries are answered while settings are read again, and one that fails takes the ledger away from no other', async () => {
  const startThreads = await builtThreadQueries();
  const workspace = await testWorkspace({});
  await workspace.run();
  const queryPool = startThreads(workspace.root);
  onTestFinished(() => queryPool.close());

  const report = () => queryPool.query('reportFacts', { selection: { runId: 1 } });
  const before = report();
  const renewed = queryPool.renew();
  const [first, second] = await Promise.all([before, report(), renewed]);
  for (const facts of [first, second]) expect(facts.run?.runId).toBe(1);

  // Each query differs, so that none serves several.
  const other = (index: number, runId: number) =>
    queryPool.query('reportFacts', { selection: { runId, since: `2020-01-01T00:00:${10 + index}Z` } });
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => other(index, index % 2 === 0 ? 1 : -1)),
  );
  expect(settled.map(({ status }) => status)).toEqual(
    settled.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
  );
  expect(await queryPool.query('pulse', {})).not.toBe('');
});
