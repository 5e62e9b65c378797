import { expect, it } from 'vitest';
import { environmentSchema } from '../../../src/config/schema/environment-schema.js';
import { reconcile } from '../../../src/report/report.js';
import { estimatesOf } from '../../../src/report/status/delivery-estimate.js';
import { sourceOf, stageContent } from '../../staging/staging-bench.js';
import { testLedger } from '../../support/staged-ledger.js';

it('a report estimates waiting rows as the status does: rows that share a request count once', async () => {
  const ledger = testLedger();
  await stageContent(ledger, 'Course ID,Skills\nC1,Welding; Soldering; Brazing\n', {
    source: sourceOf({ operation: 'add-skills' }),
  });
  const main = environmentSchema.parse({
    baseUrl: 'https://a.example',
    authUrl: 'https://b.example',
    clientId: 'c',
    clientSecret: 's',
    quota: { requests: 1 },
  });
  const [estimate] = await estimatesOf({ ledger, config: { environments: { main } }, clock: ledger.clock }, [
    'main',
  ]);
  expect(estimate).toMatchObject({ rows: 3, requests: 1, estimatedMs: 60_500 });
  const { waiting } = await reconcile(ledger, {}, { environments: { main } });
  expect(waiting).toEqual([
    {
      environment: 'main',
      waiting: 3,
      estimatedMs: 60_500,
      estimatedEnd: estimate?.estimatedEnd,
      pushedBy: null,
    },
  ]);
  expect((await reconcile(ledger, {})).waiting).toMatchObject([{ estimatedMs: null, estimatedEnd: null }]);
});
