import { expect, it } from 'vitest';
import { METRIC_PARTS } from '../../../src/actions/monitor/read-metrics.js';
import { waitingDelivery } from '../../../src/ledger/attempts/waiting-requests.js';
import { readState } from '../../../src/ledger/books/state/read-state.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { ACCEPTED, deliverNext, mustLease, stage, testLedger } from '../../support/staged-ledger.js';
import { tableScans } from '../../support/table-scans.js';

it.each([
  ['nothing is being staged', true],
  ['a drop is being staged', false],
])('no query of the metrics scans a large table, while %s', async (_, publish) => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [{}, { user: 'other@x.example' }]);
  await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, ACCEPTED);
  if (!publish) await stage(ledger, [{ user: 'third@x.example' }], { publish });
  fileOf(ledger).statements.clear();
  await readState(ledger, METRIC_PARTS, { environments: [{ name: 'main', clientId: 'x', rechecks: 0 }] });
  await waitingDelivery(ledger, 'main', 'x');
  expect(fileOf(ledger).statements.size).toBeGreaterThan(10);
  expect(tableScans(ledger)).toEqual([]);
});
