import { expect, it, onTestFinished } from 'vitest';
import { testWorkspace } from '../support/workspace.js';

/** The compiled one: threads can't be started from its source. */
const COMPILED = new URL('../../dist/src/console/queries/query-pool.js', import.meta.url).href;

it('queries are answered while settings are read again, and one that fails takes the ledger away from no other', async () => {
  const { threadQueries } = (await import(
    COMPILED
  )) as typeof import('../../src/console/queries/query-pool.js');
  const workspace = await testWorkspace({});
  await workspace.run();
  const queryPool = threadQueries(workspace.root);
  onTestFinished(() => queryPool.close());

  const report = () => queryPool.query('reportFacts', { selection: { runId: 1 } });
  const before = report();
  const renewed = queryPool.renew();
  const [first, second] = await Promise.all([before, report(), renewed]);
  for (const facts of [first, second]) expect(facts.run?.runId).toBe(1);

  // Each is another question, so that no query serves several.
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
