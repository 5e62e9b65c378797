import { expect, it } from 'vitest';
import { prepareRestored } from '../../src/ledger/after-restore.js';
import { imbalances } from '../../src/ledger/imbalances.js';
import { decider } from '../support/decider.js';
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
} from '../support/staged-ledger.js';

const WHY = { who: decider('test'), because: 'the disk broke' };

it('what would go out by itself is held, what was under way is in doubt, and what a person must release stays', () => {
  const ledger = testLedger();
  const { runId } = stage(ledger, [
    { user: 'a@x.org' },
    { user: 'b@x.org' },
    { user: 'b@x.org', content: 'C-2' },
    { user: 'c@x.org' },
    { user: 'd@x.org' },
    { user: 'e@x.org' },
  ]);
  const lease = mustLease(ledger, 'push:main');
  deliverNext(ledger, lease, runId, ACCEPTED);
  deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  deliverNext(ledger, lease, runId, REJECTED, 400);
  claimNext(ledger, lease, runId);
  expect(states(ledger)).toEqual([
    'accepted',
    'rejected',
    'held:learner-unknown',
    'rejected',
    'sending',
    'waiting',
  ]);

  expect(prepareRestored(ledger, null, { ...WHY, strangeDrop: 0 })).toMatchObject({
    held: 3,
    doubted: 1,
    accepted: 0,
    lost: null,
  });
  expect(states(ledger)).toEqual([
    'accepted',
    'held:restored',
    'held:restored',
    'rejected',
    'in-doubt',
    'held:restored',
  ]);
  expect(imbalances(ledger)).toEqual([]);
  expect(ledger.sqlite.prepare('select * from lease where owner is not null').all()).toEqual([]);
});
