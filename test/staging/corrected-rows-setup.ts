import { systemClock } from '../../src/domain/clock.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import { csvOf, exportRow } from '../support/exports.js';
import { deliverNext, mustLease, preparedLedgers, REJECTED } from '../support/staged-ledger.js';
import { stageContent } from './staging-bench.js';

export const BAD = exportRow(3, { email: 'nobody' });
export const ROWS = [exportRow(1), exportRow(2), BAD];

/** Drop 1: lines 2 and 3 refused by the platform, line 4 invalid. */
export const prepared = preparedLedgers(async (ledger) => {
  await stageContent(ledger, csvOf(ROWS));
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, 1, REJECTED);
  await deliverNext(ledger, lease, 1, REJECTED);
  await releaseLease(ledger, lease);
}, systemClock);
