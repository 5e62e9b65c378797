import { expect, it, onTestFinished } from 'vitest';
import { testWorkspace } from '../support/workspace.js';

/** The compiled one: threads can't be started from its source. */
const COMPILED = new URL('../../dist/src/console/queries/asker.js', import.meta.url).href;

async function asked() {
  const { threadQueries } = (await import(COMPILED)) as typeof import('../../src/console/queries/asker.js');
  const workspace = await testWorkspace({});
  await workspace.run();
  const asker = threadQueries(workspace.root);
  onTestFinished(() => asker.close());
  return asker;
}

it('queries are answered while settings are read again', async () => {
  const asker = await asked();
  const report = () => asker.ask('reportPage', { selection: { runId: 1 }, backTo: '/' });
  const before = report();
  const renewed = asker.renew();
  const [first, second] = await Promise.all([before, report(), renewed]);
  for (const page of [first, second]) expect(page).toContain('<title>Run 1 ');
});

it('a query that fails takes the ledger away from no other', async () => {
  const asker = await asked();
  // Each is another question, so that no query serves several.
  const report = (index: number, runId: number) =>
    asker.ask('reportPage', { selection: { runId }, backTo: `/${index}` });
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => report(index, index % 2 === 0 ? 1 : -1)),
  );
  expect(settled.map(({ status }) => status)).toEqual(
    settled.map((_, index) => (index % 2 === 0 ? 'fulfilled' : 'rejected')),
  );
  expect(await asker.ask('pulse', {})).not.toBe('');
});
