import { describe, expect, it } from 'vitest';
import {
  countUnknownLearners,
  unknownByEnvironment,
  unknownLearners,
} from '../../../src/ledger/books/unknown-learners.js';
import { recheckLearners } from '../../../src/ledger/submissions/rechecks.js';
import { manualClock } from '../../support/manual-clock.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  stage,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../support/staged-ledger.js';

const [ADA, BEA, CY, DEE] = ['ada@x.example', 'bea@x.example', 'cy@x.example', 'dee@x.example'];

/** Ada with three rows and Bea with one are unknown; a row of Cy was refused otherwise; Dee is known. */
async function ledgerWithUnknown() {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const { runId } = await stage(ledger, [
    { user: BEA },
    { user: ADA, content: 'C-1' },
    { user: ADA, content: 'C-2' },
    { user: ADA, content: 'C-3' },
    { user: CY },
    { user: DEE },
  ]);
  const lease = await mustLease(ledger, 'push:main');
  for (const outcome of [UNKNOWN_LEARNER, UNKNOWN_LEARNER, REJECTED, ACCEPTED]) {
    await deliverNext(ledger, lease, runId, outcome, 400);
  }
  await claimNext(ledger, lease, runId);
  return { ledger, lease, runId, clock };
}

describe('unknown learners', () => {
  it('are counted once, however many rows they have, refused or held', async () => {
    const { ledger } = await ledgerWithUnknown();
    await stage(ledger, [{ user: BEA, content: 'C-9' }], { publish: false });
    expect(await countUnknownLearners(ledger, {})).toEqual({ learners: 2, rows: 4 });
    expect(await countUnknownLearners(ledger, { fileName: 'another.csv' })).toEqual({ learners: 0, rows: 0 });
  });

  it('are listed with the most rows first, and where the first row is', async () => {
    const { ledger } = await ledgerWithUnknown();
    const { listed } = await unknownLearners(ledger, {}, 9);
    expect(listed.map(({ learner, rows, example }) => [learner.id, rows, example.line])).toEqual([
      [ADA, 3, 3],
      [BEA, 1, 2],
    ]);
    expect((await unknownLearners(ledger, {}, 1)).listed).toHaveLength(1);
  });

  it('are those of whom rechecks are left, and those of whom none is', async () => {
    const { ledger, lease, runId, clock } = await ledgerWithUnknown();
    clock.pass(1_000);
    await recheckLearners(ledger, 'main', { afterMs: 1_000, times: 1 }, runId);
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    const unknown = { environment: 'main', learners: 2, rows: 3 };
    expect(await unknownByEnvironment(ledger, () => 1)).toEqual([{ ...unknown, checkedAt: null, spent: 2 }]);
    expect(await unknownByEnvironment(ledger, () => 2)).toMatchObject([
      { checkedAt: expect.any(String), spent: 0 },
    ]);
  });
});
