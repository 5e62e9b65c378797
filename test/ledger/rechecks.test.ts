import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/query.js';
import { recheckLearners } from '../../src/ledger/rechecks.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { manualClock } from '../support/manual-clock.js';
import { select } from '../support/select.js';
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
} from '../support/staged-ledger.js';

const DAY_MS = 86_400_000;
const POLICY = { afterMs: 7 * DAY_MS, times: 2 };

/** A learner with one refused and two held rows, and what a recheck does once so many days have gone by. */
function refusedLearner() {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const { runId } = stage(ledger, [{ content: 'C-1' }, { content: 'C-2' }, { content: 'C-3' }]);
  const lease = mustLease(ledger, 'push:main');
  deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  claimNext(ledger, lease, runId);
  return {
    ledger,
    lease,
    runId,
    clock,
    recheckAfter(days: number, policy = POLICY) {
      clock.pass(days * DAY_MS);
      recheckLearners(ledger, 'main', policy, runId);
      return states(ledger);
    },
  };
}

const HELD = 'held:learner-unknown';

describe('a recheck', () => {
  it('lets the row that was refused ask again, not before it is due', () => {
    const { recheckAfter } = refusedLearner();
    expect(recheckAfter(6.9)).toEqual(['rejected', HELD, HELD]);
    expect(recheckAfter(0.1)).toEqual(['waiting', HELD, HELD]);
  });

  it('that is refused changes nothing, and the next is due as long after it', () => {
    const { ledger, lease, runId, clock, recheckAfter } = refusedLearner();
    recheckAfter(7);
    clock.pass(DAY_MS);
    deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(claimNext(ledger, lease, runId)).toBeNull();
    expect(recheckAfter(6.9)).toEqual(['rejected', HELD, HELD]);
    expect(recheckAfter(0.1)).toEqual(['waiting', HELD, HELD]);
  });

  it('that is accepted releases all rows of the learner, and ends the hold', () => {
    const { ledger, lease, runId, recheckAfter } = refusedLearner();
    recheckAfter(7);
    deliverNext(ledger, lease, runId, ACCEPTED);
    expect(states(ledger)).toEqual(['accepted', 'waiting', 'waiting']);
    expect(holds(ledger)).toEqual([]);
  });

  it('is made as often as there may be rechecks, whatever reruns there were; more may be allowed later', () => {
    const { ledger, lease, runId, recheckAfter } = refusedLearner();
    for (let made = 0; made < POLICY.times; made += 1) {
      recheckAfter(7);
      deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    }
    expect(recheckAfter(70)).toEqual(['rejected', HELD, HELD]);
    const rerun = { kind: 'rerun', who: decider('ada'), because: null, selection: {} } as const;
    decide(ledger, rerun, select(ledger, { states: ['rejected'] }), null);
    deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(recheckAfter(70)).toEqual(['rejected', HELD, HELD]);
    expect(recheckAfter(0, { ...POLICY, times: 3 })).toEqual(['waiting', HELD, HELD]);
  });

  it('is one at a time: while a row has no answer no other goes', () => {
    const { ledger, lease, runId, recheckAfter } = refusedLearner();
    recheckAfter(7);
    deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
    expect(recheckAfter(7)).toEqual(['waiting', HELD, HELD]);
    expect(holds(ledger)).toMatchObject([{ rechecks: 1, probe_id: 1 }]);
  });

  it('takes no row that another guard would hold', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    stage(ledger, [{ content: 'C-1', at: '2026-02-01T00:00:00.000Z' }, { content: 'C-2' }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, 1, ACCEPTED);
    deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
    const refused = select(ledger, { states: ['rejected'] });
    decide(ledger, { kind: 'dismiss', who: decider('ada'), because: 'left', selection: {} }, refused, null);
    stage(ledger, [{ content: 'C-1', at: '2025-01-01T00:00:00.000Z' }, { content: 'C-3' }]);
    clock.pass(7 * DAY_MS);
    recheckLearners(ledger, 'main', POLICY, 1);
    expect(states(ledger)).toEqual(['accepted', 'dismissed', HELD, 'waiting']);
    expect(claimNext(ledger, lease, 1)?.submissionId).toBe(4);
  });

  it('takes a correction of an accepted row where the source sends corrections', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    stage(ledger, [{ percentile: 1 }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, 1, ACCEPTED);
    stage(ledger, [{ percentile: 2 }], { sendAmendments: true });
    deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
    clock.pass(7 * DAY_MS);
    recheckLearners(ledger, 'main', POLICY, 1);
    expect(claimNext(ledger, lease, 1)?.submissionId).toBe(2);
  });

  it('of a learner without such rows ends the hold, so that the next row asks by itself', () => {
    const { ledger, recheckAfter } = refusedLearner();
    const all = select(ledger, { states: ['rejected', 'held'] });
    decide(ledger, { kind: 'dismiss', who: decider('ada'), because: 'left', selection: {} }, all, null);
    recheckAfter(7);
    expect(holds(ledger)).toEqual([]);
  });

  it('is not put off by a clock that was set back', () => {
    const { recheckAfter } = refusedLearner();
    expect(recheckAfter(-400)).toEqual(['waiting', HELD, HELD]);
  });

  it('asks in its own environment alone', () => {
    const { ledger, runId, clock } = refusedLearner();
    clock.pass(7 * DAY_MS);
    recheckLearners(ledger, 'other', POLICY, runId);
    expect(states(ledger)).toEqual(['rejected', HELD, HELD]);
  });
});

function holds(ledger: Ledger): unknown[] {
  return ledger.sqlite.prepare('select rechecks, probe_id from learner_hold').all();
}
