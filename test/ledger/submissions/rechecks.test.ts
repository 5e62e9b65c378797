import { describe, expect, it } from 'vitest';
import { unknownLearners } from '../../../src/ledger/books/unknown-learners.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { recheckLearners } from '../../../src/ledger/submissions/rechecks.js';
import { decide } from '../../support/decide.js';
import { decider } from '../../support/decider.js';
import { manualClock } from '../../support/manual-clock.js';
import { select } from '../../support/select.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  mustLease,
  SERVER_ERROR,
  stage,
  states,
  testLedger,
  UNKNOWN_LEARNER,
} from '../../support/staged-ledger.js';

const DAY_MS = 86_400_000;
const POLICY = { afterMs: 7 * DAY_MS, times: 2 };

/** A learner with one refused and two held rows, and what a recheck does once so many days have gone by. */
async function refusedLearner() {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const { runId } = await stage(ledger, [{ content: 'C-1' }, { content: 'C-2' }, { content: 'C-3' }]);
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  await claimNext(ledger, lease, runId);
  return {
    ledger,
    lease,
    runId,
    clock,
    async recheckAfter(days: number, policy = POLICY) {
      clock.pass(days * DAY_MS);
      await recheckLearners(ledger, 'main', policy, runId);
      return await states(ledger);
    },
  };
}

const HELD = 'held:learner-unknown';

describe('a recheck', () => {
  it('resends the row that was refused, not before it is due', async () => {
    const { recheckAfter } = await refusedLearner();
    expect(await recheckAfter(6.9)).toEqual(['rejected', HELD, HELD]);
    expect(await recheckAfter(0.1)).toEqual(['waiting', HELD, HELD]);
  });

  it('that is refused changes nothing, and the next is due as long after it', async () => {
    const { ledger, lease, runId, clock, recheckAfter } = await refusedLearner();
    await recheckAfter(7);
    clock.pass(DAY_MS);
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(await claimNext(ledger, lease, runId)).toBeNull();
    expect(await recheckAfter(6.9)).toEqual(['rejected', HELD, HELD]);
    expect(await recheckAfter(0.1)).toEqual(['waiting', HELD, HELD]);
  });

  it('that is accepted releases all rows of the learner, and ends the hold', async () => {
    const { ledger, lease, runId, recheckAfter } = await refusedLearner();
    await recheckAfter(7);
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(await states(ledger)).toEqual(['accepted', 'waiting', 'waiting']);
    expect(await holds(ledger)).toEqual([]);
  });

  it('is made as often as there may be rechecks, whatever reruns there were; more may be allowed later', async () => {
    const { ledger, lease, runId, recheckAfter } = await refusedLearner();
    for (let made = 0; made < POLICY.times; made += 1) {
      await recheckAfter(7);
      await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    }
    expect(await recheckAfter(70)).toEqual(['rejected', HELD, HELD]);
    const rerun = { kind: 'rerun', who: decider('ada'), because: null, selection: {} } as const;
    await decide(ledger, rerun, await select(ledger, { states: ['rejected'] }), null);
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(await recheckAfter(70)).toEqual(['rejected', HELD, HELD]);
    expect(await recheckAfter(0, { ...POLICY, times: 3 })).toEqual(['waiting', HELD, HELD]);
  });

  it('is one at a time: while a row has no answer no other goes', async () => {
    const { ledger, lease, runId, recheckAfter } = await refusedLearner();
    await recheckAfter(7);
    await deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
    expect(await recheckAfter(7)).toEqual(['waiting', HELD, HELD]);
    expect(await holds(ledger)).toMatchObject([{ rechecks: 1 }]);
  });

  it('takes no row that another guard would hold', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    await stage(ledger, [{ content: 'C-1', at: '2026-02-01T00:00:00.000Z' }, { content: 'C-2' }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, 1, ACCEPTED);
    await deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
    const refused = await select(ledger, { states: ['rejected'] });
    await decide(
      ledger,
      { kind: 'dismiss', who: decider('ada'), because: 'left', selection: {} },
      refused,
      null,
    );
    await stage(ledger, [{ content: 'C-1', at: '2025-01-01T00:00:00.000Z' }, { content: 'C-3' }]);
    clock.pass(7 * DAY_MS);
    await recheckLearners(ledger, 'main', POLICY, 1);
    expect(await states(ledger)).toEqual(['accepted', 'dismissed', HELD, 'waiting']);
    expect((await claimNext(ledger, lease, 1))?.submissionId).toBe(4);
  });

  it('takes a correction of an accepted row where the source sends corrections', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    await stage(ledger, [{ percentile: 1 }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, 1, ACCEPTED);
    await stage(ledger, [{ percentile: 2 }], { sendAmendments: true });
    await deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
    clock.pass(7 * DAY_MS);
    await recheckLearners(ledger, 'main', POLICY, 1);
    expect((await claimNext(ledger, lease, 1))?.submissionId).toBe(2);
  });

  it('of a learner without such rows ends the hold, so that the next row is sent by itself', async () => {
    const { ledger, recheckAfter } = await refusedLearner();
    const all = await select(ledger, { states: ['rejected', 'held'] });
    await decide(ledger, { kind: 'dismiss', who: decider('ada'), because: 'left', selection: {} }, all, null);
    await recheckAfter(7);
    expect(await holds(ledger)).toEqual([]);
  });

  it('is not put off by a clock that was set back', async () => {
    const { recheckAfter } = await refusedLearner();
    expect(await recheckAfter(-400)).toEqual(['waiting', HELD, HELD]);
  });

  it('checks in its own environment alone', async () => {
    const { ledger, runId, clock } = await refusedLearner();
    clock.pass(7 * DAY_MS);
    await recheckLearners(ledger, 'other', POLICY, runId);
    expect(await states(ledger)).toEqual(['rejected', HELD, HELD]);
  });
});

/** The state of the rechecks of each unknown learner. */
async function holds(ledger: Ledger): Promise<unknown[]> {
  const { listed } = await unknownLearners(ledger, {}, 10);
  return listed.flatMap(({ hold }) => hold ?? []);
}
