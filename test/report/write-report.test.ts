import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { reconcile } from '../../src/report/report.js';
import { writeReport } from '../../src/report/write-report.js';
import { testLedger } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

it('reports of the same second have a folder each, so that none is lost', async () => {
  const ledger = testLedger(systemClock());
  const report = { ...(await reconcile(ledger, {})), at: '2026-03-02T08:00:00.123Z' };
  const folder = tempFolder();
  await Promise.all([1, 2, 3].map(() => writeReport(ledger, report, folder, ['json'])));
  expect(readdirSync(folder).sort()).toEqual([
    '2026-03-02T08-00-00Z',
    '2026-03-02T08-00-00Z-2',
    '2026-03-02T08-00-00Z-3',
  ]);
});
