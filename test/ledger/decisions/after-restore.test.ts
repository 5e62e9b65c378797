import { expect, it } from 'vitest';
import { imbalances } from '../../../src/ledger/books/imbalances.js';
import { readWork } from '../../../src/ledger/books/read-work.js';
import { prepareRestored } from '../../../src/ledger/decisions/after-restore.js';
import { decider } from '../../support/decider.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  stage,
  states,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../support/staged-ledger.js';

const WHY = { who: decider('test'), because: 'the disk broke' };

it('what would go out by itself is held, what was under way is in doubt, and what a person must release stays', async () => {
  const ledger = testLedger();
  const { runId } = await stage(ledger, [
    { user: 'a@x.org' },
    { user: 'b@x.org' },
    { user: 'b@x.org', content: 'C-2' },
    { user: 'c@x.org' },
    { user: 'd@x.org' },
    { user: 'e@x.org' },
  ]);
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, runId, ACCEPTED);
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  await deliverNext(ledger, lease, runId, REJECTED, 400);
  await claimNext(ledger, lease, runId);
  expect(await states(ledger)).toEqual([
    'accepted',
    'rejected',
    'held:learner-unknown',
    'rejected',
    'sending',
    'waiting',
  ]);

  expect(await prepareRestored(ledger, null, { ...WHY, strangeDrop: 0 })).toMatchObject({
    held: 3,
    doubted: 1,
    accepted: 0,
    lost: null,
  });
  expect(await states(ledger)).toEqual([
    'accepted',
    'held:restored',
    'held:restored',
    'rejected',
    'in-doubt',
    'held:restored',
  ]);
  expect(await imbalances(ledger)).toEqual([]);
  expect((await readWork(ledger)).leases).toEqual([]);
});
