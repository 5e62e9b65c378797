import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/domain/outcome.js';
import { recordAnswer, takeOver } from '../../src/ledger/answers.js';
import { claim, findDue } from '../../src/ledger/claims.js';
import { beginDrop, discardRows } from '../../src/ledger/drops.js';
import { imbalances } from '../../src/ledger/imbalances.js';
import { releaseLease } from '../../src/ledger/leases.js';
import type { Ledger } from '../../src/ledger/query.js';
import { deleteSkills } from '../../src/operations/delete-skills.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { manualClock } from '../support/manual-clock.js';
import { select } from '../support/select.js';
import {
  ACCEPTED,
  answerOf,
  claimNext,
  deliverNext,
  mustLease,
  REJECTED,
  SERVER_ERROR,
  SILENCE,
  stage,
  stageRecords,
  states,
  submission,
  TEST_POLICY,
  THROTTLED,
  testLedger,
  UNKNOWN_LEARNER,
} from '../support/staged-ledger.js';

const rerun = { kind: 'rerun', who: decider('test'), because: null, selection: {} } as const;

describe('the order of a drop', () => {
  it('goes line by line, whatever order the rows were written in', () => {
    const ledger = testLedger();
    const users = ['ada@example.com', 'bob@example.com', 'cyd@example.com'];
    const { runId } = stage(
      ledger,
      users.map((user) => ({ user })),
      { inOrder: (rows) => rows.toReversed() },
    );
    const lease = mustLease(ledger, 'push:main');
    const claims = users.map(() => claimNext(ledger, lease, runId));
    expect(claims.map((claimed) => claimed?.record.fields['user-id'])).toEqual(users);
  });
});

describe('the order within a slot', () => {
  it('sends the oldest completion first, whatever the order of the files', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ at: '2026-02-01T00:00:00.000Z' }, { at: '2026-01-01T00:00:00.000Z' }]);
    const lease = mustLease(ledger, 'push:main');
    const first = deliverNext(ledger, lease, runId, ACCEPTED);
    expect(first.record.fields['completed-at']).toBe('2026-01-01T00:00:00.000Z');
  });

  it('claims nothing of a slot that has one under way, and goes on with other slots', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ at: '2026-01-01T00:00:00.000Z' }, {}, { user: 'bob@example.com' }]);
    const lease = mustLease(ledger, 'push:main');
    const claims = [1, 2, 3].map(() => claimNext(ledger, lease, runId));
    expect(claims.map((claimed) => claimed?.record.fields['user-id'])).toEqual([
      'ada@example.com',
      'bob@example.com',
      undefined,
    ]);
  });

  it('lets an older one that waits for its next try block a newer one', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ at: '2026-01-01T00:00:00.000Z' }, {}]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
    expect(claimNext(ledger, lease, runId)).toBeNull();
    expect(findDue(ledger, 'main', runId, 600_000)).toMatchObject({ kind: 'later' });
  });

  it('holds a completion older than one accepted, as soon as it is staged', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}]);
    deliverNext(ledger, mustLease(ledger, 'push:main'), runId, ACCEPTED);
    stage(ledger, [{ at: '2025-01-01T00:00:00.000Z' }]);
    expect(states(ledger)).toEqual(['accepted', 'held:out-of-order']);
  });
});

describe('a 503 with Retry-After', () => {
  it.each([
    ['longer than the back-off', 90_000, 90_000],
    ['shorter than the back-off', 100, 1_000],
    ['none', null, 1_000],
  ])('%s: its row goes again after the longer of the two', (_, retryAfterMs, waitsMs) => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = stage(ledger, [{}]);
    const lease = mustLease(ledger, 'push:main');
    const asked: Outcome = { kind: 'transient', reason: 'HTTP 503', retryAfterMs, mayBeWritten: true };
    deliverNext(ledger, lease, runId, asked, 503);
    clock.pass(waitsMs - 1);
    expect(claimNext(ledger, lease, runId)).toBeNull();
    clock.pass(1);
    expect(claimNext(ledger, lease, runId)).not.toBeNull();
  });
});

describe('rows that share a request', () => {
  it('are a hundred at most: 250 skills of one content leave as 100, 100 and 50', () => {
    const ledger = testLedger();
    const rows = Array.from({ length: 250 }, (_, n) => ({ 'content-id': 'C-1', skill: `Skill ${n}` }));
    const { runId } = stageRecords(ledger, deleteSkills, rows);
    const lease = mustLease(ledger, 'push:main');
    const claimed = [1, 2, 3, 4].map(() => claimNext(ledger, lease, runId)?.submissions.length ?? 0);
    expect(claimed).toEqual([100, 100, 50, 0]);
  });
});

describe('a file sorted newest first', () => {
  it('is delivered oldest first, however far apart the two lie', () => {
    const ledger = testLedger();
    const rows = (at: string) => Array.from({ length: 1_200 }, (_, i) => ({ user: `u${i}@example.com`, at }));
    const { runId } = stage(ledger, [
      ...rows('2026-02-01T00:00:00.000Z'),
      ...rows('2025-02-01T00:00:00.000Z'),
    ]);
    const lease = mustLease(ledger, 'push:main');
    const first = deliverNext(ledger, lease, runId, ACCEPTED);
    expect(first.record.fields).toMatchObject({
      'user-id': 'u0@example.com',
      'completed-at': '2025-02-01T00:00:00.000Z',
    });
    const second = deliverNext(ledger, lease, runId, ACCEPTED);
    expect(second.record.fields).toMatchObject({
      'user-id': 'u0@example.com',
      'completed-at': '2026-02-01T00:00:00.000Z',
    });
  });

  it('is delivered to its end when all of it is one slot', () => {
    const ledger = testLedger();
    const rows = Array.from({ length: 200 }, (_, i) => ({
      at: new Date(Date.UTC(2026, 0, 1) - i * 86_400_000).toISOString(),
    }));
    const { runId } = stage(ledger, rows);
    const lease = mustLease(ledger, 'push:main');
    for (const _ of rows) deliverNext(ledger, lease, runId, ACCEPTED);
    expect(new Set(states(ledger))).toEqual(new Set(['accepted']));
  });
});

describe('revisions', () => {
  it('replaces an unsent one by the corrected one', () => {
    const ledger = testLedger();
    stage(ledger, [{ percentile: 10 }]);
    const { runId } = stage(ledger, [{ percentile: 90 }]);
    expect(states(ledger)).toEqual(['replaced', 'waiting']);
    expect(submission(ledger, 1).successor_id).toBe(2);
    const sent = deliverNext(ledger, mustLease(ledger, 'push:main'), runId, ACCEPTED);
    expect(sent.record.fields.percentile).toBe(90);
  });

  it('holds the correction of an accepted one, and sends it after a rerun', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ percentile: 10 }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, ACCEPTED);
    stage(ledger, [{ percentile: 90 }]);
    expect(states(ledger)).toEqual(['accepted', 'held:amended']);
    decide(ledger, rerun, select(ledger, { states: ['held'], cause: 'amended' }), null);
    deliverNext(ledger, lease, runId, ACCEPTED);
    expect(states(ledger)).toEqual(['accepted', 'accepted']);
  });

  it('sends it at once where the source says so', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ percentile: 10 }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, ACCEPTED);
    stage(ledger, [{ percentile: 90 }], { sendAmendments: true });
    deliverNext(ledger, lease, runId, ACCEPTED);
    expect(states(ledger)).toEqual(['accepted', 'accepted']);
  });

  it('counts content equal to any earlier revision as a duplicate', () => {
    const ledger = testLedger();
    stage(ledger, [{ percentile: 10 }]);
    stage(ledger, [{ percentile: 90 }]);
    stage(ledger, [{ percentile: 10 }]);
    const dispositions = ledger.sqlite
      .prepare('select disposition from drop_row order by drop_id, line')
      .pluck()
      .all();
    expect(dispositions).toEqual(['staged', 'amended', 'duplicate']);
  });

  it('holds the correction that was staged while the earlier one was under way and got accepted', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ percentile: 10 }]);
    const lease = mustLease(ledger, 'push:main');
    const claimed = claimNext(ledger, lease, runId);
    stage(ledger, [{ percentile: 90 }]);
    expect(claimNext(ledger, lease, runId)).toBeNull();
    recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(ACCEPTED), TEST_POLICY, runId);
    expect(claimNext(ledger, lease, runId)).toBeNull();
    expect(states(ledger)).toEqual(['accepted', 'held:amended']);
  });

  it('sends the correction when the earlier one turns out refused', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ percentile: 10 }]);
    const lease = mustLease(ledger, 'push:main');
    const claimed = claimNext(ledger, lease, runId);
    stage(ledger, [{ percentile: 90 }]);
    recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(REJECTED, 400), TEST_POLICY, runId);
    deliverNext(ledger, lease, runId, ACCEPTED);
    expect(states(ledger)).toEqual(['replaced', 'accepted']);
  });
});

describe('outcomes', () => {
  it('a 429 spends no try and waits again', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}]);
    deliverNext(ledger, mustLease(ledger, 'push:main'), runId, THROTTLED, 429);
    expect(submission(ledger, 1)).toMatchObject({
      state: 'waiting',
      tries: 0,
      repeats: 0,
      next_attempt_at: null,
    });
  });

  it('passing faults are tried again later and end as failed', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = stage(ledger, [{}]);
    const lease = mustLease(ledger, 'push:main');
    for (let tries = 1; tries <= 3; tries += 1) {
      deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
      expect(submission(ledger, 1).tries).toBe(tries);
      clock.pass(1_000);
    }
    expect(submission(ledger, 1)).toMatchObject({ state: 'failed', repeats: 2 });
  });

  it.each([
    ['a passing fault that may have been written, is counted as a repeat', SERVER_ERROR, 503, 3],
    [
      'a connection refused, is none',
      { kind: 'transient', reason: 'ECONNREFUSED', retryAfterMs: null, mayBeWritten: false } as const,
      null,
      0,
    ],
  ])('a rerun of what failed by %s', (_, outcome, status, repeats) => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = stage(ledger, [{}]);
    const lease = mustLease(ledger, 'push:main');
    for (let tries = 1; tries <= 3; tries += 1) {
      const claimed = claimNext(ledger, lease, runId);
      const answer = answerOf(outcome, status ?? 0);
      recordAnswer(
        ledger,
        claimed?.attemptId ?? 0,
        status === null ? { ...answer, response: null, failure: { code: 'ECONNREFUSED' } } : answer,
        TEST_POLICY,
        runId,
      );
      clock.pass(1_000);
    }
    decide(ledger, rerun, select(ledger, { states: ['failed'] }), null);
    expect(submission(ledger, 1)).toMatchObject({ state: 'waiting', tries: 0, repeats });
  });

  it('a try whose time lies beyond the longest back-off is due: the wall clock was set back', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = stage(ledger, [{}]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
    clock.setWall(clock.nowMs() - 86_400_000);
    expect(claimNext(ledger, lease, runId)).not.toBeNull();
  });

  it('silence is sent again within its bound, marked, then in doubt', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = stage(ledger, [{}]);
    const lease = mustLease(ledger, 'push:main');
    for (let sent = 1; sent <= 3; sent += 1) {
      deliverNext(ledger, lease, runId, SILENCE);
      clock.pass(1_000);
    }
    expect(submission(ledger, 1)).toMatchObject({ state: 'in-doubt', resends: 2, repeats: 2 });
  });

  it('what a dead owner left under way becomes an attempt without an answer and is sent again', () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = stage(ledger, [{}]);
    const lease = mustLease(ledger, 'push:main');
    claimNext(ledger, lease, runId);
    releaseLease(ledger, lease);
    const successor = mustLease(ledger, 'push:main');
    expect(takeOver(ledger, 'main', TEST_POLICY, runId)).toBe(1);
    clock.pass(1_000);
    deliverNext(ledger, successor, runId, ACCEPTED);
    expect(submission(ledger, 1)).toMatchObject({ state: 'accepted', repeats: 1 });
    expect(imbalances(ledger)).toEqual([]);
  });

  it('a late answer that says accepted counts, and is kept beside the first', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}]);
    const lease = mustLease(ledger, 'push:main');
    const claimed = claimNext(ledger, lease, runId);
    takeOver(ledger, 'main', TEST_POLICY, runId);
    const settled = recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(ACCEPTED), TEST_POLICY, runId);
    expect(settled).toEqual([{ submissionId: 1, state: 'accepted' }]);
    expect(ledger.sqlite.prepare('select late, outcome from response order by response_id').all()).toEqual([
      { late: 0, outcome: 'unknown' },
      { late: 1, outcome: 'accepted' },
    ]);
    expect(imbalances(ledger)).toEqual([]);
  });

  it('an attempt whose submission was accepted by a late answer meanwhile is closed by the next owner', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}]);
    const first = claimNext(ledger, mustLease(ledger, 'push:main'), runId);
    takeOver(ledger, 'main', { ...TEST_POLICY, backOffMs: () => 0 }, runId);
    ledger.sqlite.exec("update lease set owner = null where name = 'push:main'");
    claimNext(ledger, mustLease(ledger, 'push:main'), runId);
    recordAnswer(ledger, first?.attemptId ?? 0, answerOf(ACCEPTED), TEST_POLICY, runId);
    expect(imbalances(ledger)).toEqual([]);
    expect(takeOver(ledger, 'main', TEST_POLICY, runId)).toBe(1);
    expect(imbalances(ledger)).toEqual([]);
    expect(states(ledger)).toEqual(['accepted']);
  });

  it('a late refusal changes nothing', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}]);
    const claimed = claimNext(ledger, mustLease(ledger, 'push:main'), runId);
    takeOver(ledger, 'main', TEST_POLICY, runId);
    expect(
      recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(REJECTED, 400), TEST_POLICY, runId),
    ).toEqual([{ submissionId: 1, state: null }]);
    expect(states(ledger)).toEqual(['waiting']);
  });

  it('nothing is claimed under a lease that has gone to another owner', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}]);
    const lost = mustLease(ledger, 'push:main');
    releaseLease(ledger, lost);
    mustLease(ledger, 'push:main');
    expect(claim(ledger, lost, 1, runId)).toBeNull();
  });
});

describe('learners the platform does not know', () => {
  const rows = [{ content: 'C-1' }, { content: 'C-2' }, { content: 'C-3' }];

  function refused(ledger: Ledger) {
    const { runId } = stage(ledger, rows);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(claimNext(ledger, lease, runId)).toBeNull();
    return { runId, lease };
  }

  it('the first refusal holds the other rows without a request', () => {
    const ledger = testLedger();
    refused(ledger);
    expect(states(ledger)).toEqual(['rejected', 'held:learner-unknown', 'held:learner-unknown']);
    expect(ledger.sqlite.prepare('select count(*) from attempt').pluck().get()).toBe(1);
  });

  it('rows staged later are held as well, those of other learners are not', () => {
    const ledger = testLedger();
    refused(ledger);
    stage(ledger, [{ content: 'C-4' }, { user: 'bob@example.com' }]);
    expect(states(ledger).slice(3)).toEqual(['held:learner-unknown', 'waiting']);
  });

  it('a rerun that is accepted lifts the hold and releases the others', () => {
    const ledger = testLedger();
    const { runId, lease } = refused(ledger);
    decide(ledger, rerun, select(ledger, { states: ['rejected'], cause: 'learner-unknown' }), null);
    deliverNext(ledger, lease, runId, ACCEPTED);
    expect(states(ledger)).toEqual(['accepted', 'waiting', 'waiting']);
  });

  it('a refusal holds what a rerun has let pass as well, and that still passes once the learner is known', () => {
    const ledger = testLedger();
    const { runId, lease } = refused(ledger);
    decide(ledger, rerun, select(ledger, { states: ['rejected', 'held'] }), null);
    deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(states(ledger)).toEqual(['rejected', 'held:learner-unknown', 'held:learner-unknown']);
    expect(submission(ledger, 2).pass).toBe('all');
    expect(claimNext(ledger, lease, runId)).toBeNull();
  });

  it('what was refused while it was under way waits again once the learner is known', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, rows);
    const lease = mustLease(ledger, 'push:main');
    const [first, second] = [claimNext(ledger, lease, runId), claimNext(ledger, lease, runId)];
    for (const claimed of [first, second]) {
      recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(UNKNOWN_LEARNER, 400), TEST_POLICY, runId);
    }
    stage(ledger, [{ content: 'C-4' }]);
    expect(states(ledger)).toEqual(['rejected', 'rejected', 'waiting', 'held:learner-unknown']);
    decide(ledger, rerun, select(ledger, { states: ['held'] }), null);
    expect(deliverNext(ledger, lease, runId, ACCEPTED).submissionId).toBe(4);
    expect(states(ledger)).toEqual(['waiting', 'waiting', 'waiting', 'accepted']);
  });

  it('a refusal for another reason stays when the learner is known', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, rows);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, REJECTED, 400);
    deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    decide(ledger, rerun, select(ledger, { states: ['rejected'], cause: 'learner-unknown' }), null);
    deliverNext(ledger, lease, runId, ACCEPTED);
    expect(states(ledger)[0]).toBe('rejected');
  });
});

describe('a drop that is being staged', () => {
  it('is claimed by nobody and counts nowhere', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}], { publish: false });
    expect(claimNext(ledger, mustLease(ledger, 'push:main'), runId)).toBeNull();
    expect(select(ledger, { states: ['waiting'] })).toEqual([]);
    expect(imbalances(ledger)).toEqual([]);
  });

  it('does not keep the rows behind it from being sent', () => {
    const ledger = testLedger();
    stage(ledger, [{ user: 'first@example.com' }]);
    const { runId } = stage(
      ledger,
      Array.from({ length: 50 }, (_, i) => ({ user: `u${i}@example.com` })),
      {
        publish: false,
      },
    );
    const lease = mustLease(ledger, 'push:main');
    expect(deliverNext(ledger, lease, runId, ACCEPTED).record.fields['user-id']).toBe('first@example.com');
    expect(claimNext(ledger, lease, runId)).toBeNull();
  });

  it('leaves nothing behind when it is thrown away, and others untouched', () => {
    const ledger = testLedger();
    stage(ledger, [{}]);
    const { dropId } = stage(ledger, [{ user: 'bob@example.com' }, { percentile: 3 }], { publish: false });
    discardRows(ledger, dropId);
    expect(ledger.sqlite.prepare('select count(*) from drop_row').pluck().get()).toBe(1);
    expect(states(ledger)).toEqual(['waiting']);
    expect(ledger.sqlite.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(ledger.sqlite.pragma('foreign_key_check')).toEqual([]);
  });

  it('is the only one', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{}], { publish: false });
    const second = () =>
      beginDrop(
        ledger,
        {
          source: 'other',
          identity: { sha256: 'f'.repeat(64), bytes: 1 },
          fileName: 'x.csv',
          operation: 'submit-completion',
          environment: 'main',
          runId,
          isLeft: false,
        },
        { format: 'csv', sheet: null, headerLine: 1, header: [], mapping: {}, settings: 's', sheetsLeft: [] },
      );
    expect(second).toThrow(/UNIQUE/);
  });
});

describe('decisions', () => {
  it('move only what was selected and has not moved on meanwhile', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ content: 'C-1' }, { content: 'C-2' }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, REJECTED, 400);
    deliverNext(ledger, lease, runId, REJECTED, 400);
    const selected = select(ledger, { states: ['rejected'] });
    decide(ledger, rerun, selected.slice(0, 1), null);
    expect(decide(ledger, rerun, selected, null).moved).toBe(1);
    expect(states(ledger)).toEqual(['waiting', 'waiting']);
  });

  it('let a rerun go before what was staged earlier', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ user: 'first@example.com' }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, REJECTED, 400);
    stage(ledger, [{ user: 'second@example.com' }]);
    stage(ledger, [{ user: 'third@example.com' }]);
    decide(ledger, rerun, select(ledger, { states: ['rejected'] }), null);
    expect(deliverNext(ledger, lease, runId, ACCEPTED).submissionId).toBe(1);
  });
});
