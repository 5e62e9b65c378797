import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/domain/outcome.js';
import { mapSeries } from '../../../src/domain/process/series.js';
import { recordAnswer, takeOver } from '../../../src/ledger/attempts/answers.js';
import { imbalances } from '../../../src/ledger/books/balance/imbalances.js';
import { ledgerHealth } from '../../../src/ledger/books/balance/ledger-health.js';
import { beginDrop } from '../../../src/ledger/drops/begin-drop.js';
import { discardRows } from '../../../src/ledger/drops/discard-rows.js';
import { releaseLease } from '../../../src/ledger/leases/leases.js';
import { ledgerTotals } from '../../../src/ledger/store/ledger-facts.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { claim, findDue } from '../../../src/ledger/submissions/claims.js';
import { deleteSkills } from '../../../src/operations/relate-skills.js';
import { writeDirectly } from '../../support/damage.js';
import { decide } from '../../support/decide.js';
import { decider } from '../../support/decider.js';
import { rowAt, traceOf } from '../../support/ledger-trace.js';
import { manualClock } from '../../support/manual-clock.js';
import { select } from '../../support/select.js';
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
} from '../../support/staged-ledger.js';

const rerun = { kind: 'rerun', who: decider('test'), because: null, selection: {} } as const;

describe('the order of a drop', () => {
  it('goes line by line', async () => {
    const ledger = testLedger();
    const users = ['ada@example.com', 'bob@example.com', 'cyd@example.com'];
    const { runId } = await stage(
      ledger,
      users.map((user) => ({ user })),
    );
    const lease = await mustLease(ledger, 'push:main');
    const claims = await mapSeries(users, async () => claimNext(ledger, lease, runId));
    expect(claims.map((claimed) => claimed?.record.fields['user-id'])).toEqual(users);
  });
});

describe('the order within a slot', () => {
  it('sends the oldest completion first, whatever the order of the files', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [
      { at: '2026-02-01T00:00:00.000Z' },
      { at: '2026-01-01T00:00:00.000Z' },
    ]);
    const lease = await mustLease(ledger, 'push:main');
    const first = await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(first.record.fields['completed-at']).toBe('2026-01-01T00:00:00.000Z');
  });

  it('claims no row of a slot with one under way, and continues with other slots', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [
      { at: '2026-01-01T00:00:00.000Z' },
      {},
      { user: 'bob@example.com' },
    ]);
    const lease = await mustLease(ledger, 'push:main');
    const claims = await mapSeries([1, 2, 3], async () => claimNext(ledger, lease, runId));
    expect(claims.map((claimed) => claimed?.record.fields['user-id'])).toEqual([
      'ada@example.com',
      'bob@example.com',
      undefined,
    ]);
  });

  it('lets an older one that waits for its next try block a newer one', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ at: '2026-01-01T00:00:00.000Z' }, {}]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
    expect(await claimNext(ledger, lease, runId)).toBeNull();
    expect(await findDue(ledger, { environment: 'main', runId })).toMatchObject({
      kind: 'later',
    });
  });

  it('holds a completion older than one accepted, as soon as it is staged', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, ACCEPTED);
    await stage(ledger, [{ at: '2025-01-01T00:00:00.000Z' }]);
    expect(await states(ledger)).toEqual(['accepted', 'held:out-of-order']);
  });
});

describe('a 503 with Retry-After', () => {
  it.each([
    ['longer than the back-off', 90_000, 90_000],
    ['shorter than the back-off', 100, 1_000],
    ['none', null, 1_000],
  ])('%s: its row goes again after the longer of the two', async (_, retryAfterMs, waitsMs) => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    const outcome: Outcome = { kind: 'transient', reason: 'HTTP 503', retryAfterMs, mayBeWritten: true };
    await deliverNext(ledger, lease, runId, outcome, 503);
    clock.pass(waitsMs - 1);
    expect(await claimNext(ledger, lease, runId)).toBeNull();
    clock.pass(1);
    expect(await claimNext(ledger, lease, runId)).not.toBeNull();
  });
});

describe('rows that share a request', () => {
  it('are a hundred at most: 250 skills of one content leave as 100, 100 and 50', async () => {
    const ledger = testLedger();
    const rows = Array.from({ length: 250 }, (_, n) => ({ 'content-id': 'C-1', skill: `Skill ${n}` }));
    const { runId } = await stageRecords(ledger, deleteSkills, rows);
    const lease = await mustLease(ledger, 'push:main');
    const claimed = await mapSeries(
      [1, 2, 3, 4],
      async () => (await claimNext(ledger, lease, runId))?.submissions.length ?? 0,
    );
    expect(claimed).toEqual([100, 100, 50, 0]);
  });
});

describe('a file sorted newest first', () => {
  it('is delivered oldest first, however far apart the two lie', async () => {
    const ledger = testLedger();
    const rows = (at: string) => Array.from({ length: 1_200 }, (_, i) => ({ user: `u${i}@example.com`, at }));
    const { runId } = await stage(ledger, [
      ...rows('2026-02-01T00:00:00.000Z'),
      ...rows('2025-02-01T00:00:00.000Z'),
    ]);
    const lease = await mustLease(ledger, 'push:main');
    const first = await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(first.record.fields).toMatchObject({
      'user-id': 'u0@example.com',
      'completed-at': '2025-02-01T00:00:00.000Z',
    });
    const second = await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(second.record.fields).toMatchObject({
      'user-id': 'u0@example.com',
      'completed-at': '2026-02-01T00:00:00.000Z',
    });
  });

  it('is delivered to its end when all of it is one slot', async () => {
    const ledger = testLedger();
    const rows = Array.from({ length: 200 }, (_, i) => ({
      at: new Date(Date.UTC(2026, 0, 1) - i * 86_400_000).toISOString(),
    }));
    const { runId } = await stage(ledger, rows);
    const lease = await mustLease(ledger, 'push:main');
    for (const _ of rows) await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(new Set(await states(ledger))).toEqual(new Set(['accepted']));
  });
});

describe('revisions', () => {
  it('replaces an unsent one by the corrected one', async () => {
    const ledger = testLedger();
    await stage(ledger, [{ percentile: 10 }]);
    const { runId } = await stage(ledger, [{ percentile: 90 }]);
    expect(await states(ledger)).toEqual(['replaced', 'waiting']);
    expect((await submission(ledger, 1)).successor_id).toBe(2);
    const sent = await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, ACCEPTED);
    expect(sent.record.fields.percentile).toBe(90);
  });

  it('holds the correction of an accepted one, and sends it after a rerun', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ percentile: 10 }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, ACCEPTED);
    await stage(ledger, [{ percentile: 90 }]);
    expect(await states(ledger)).toEqual(['accepted', 'held:amended']);
    await decide(ledger, rerun, await select(ledger, { states: ['held'], cause: 'amended' }), null);
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(await states(ledger)).toEqual(['accepted', 'accepted']);
  });

  it('sends it at once where the source says so', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ percentile: 10 }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, ACCEPTED);
    await stage(ledger, [{ percentile: 90 }], { sendAmendments: true });
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(await states(ledger)).toEqual(['accepted', 'accepted']);
  });

  it('counts content equal to any earlier revision as a duplicate', async () => {
    const ledger = testLedger();
    await stage(ledger, [{ percentile: 10 }]);
    await stage(ledger, [{ percentile: 90 }]);
    await stage(ledger, [{ percentile: 10 }]);
    const rows = await mapSeries([1, 2, 3], async (dropId) => rowAt(ledger, dropId, 2));
    expect(rows.map(({ disposition }) => disposition)).toEqual(['staged', 'amended', 'duplicate']);
  });

  it('holds the correction that was staged while the earlier one was under way and got accepted', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ percentile: 10 }]);
    const lease = await mustLease(ledger, 'push:main');
    const claimed = await claimNext(ledger, lease, runId);
    await stage(ledger, [{ percentile: 90 }]);
    expect(await claimNext(ledger, lease, runId)).toBeNull();
    await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(ACCEPTED), TEST_POLICY, runId);
    expect(await claimNext(ledger, lease, runId)).toBeNull();
    expect(await states(ledger)).toEqual(['accepted', 'held:amended']);
  });

  it('sends the correction when the earlier one turns out refused', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ percentile: 10 }]);
    const lease = await mustLease(ledger, 'push:main');
    const claimed = await claimNext(ledger, lease, runId);
    await stage(ledger, [{ percentile: 90 }]);
    await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(REJECTED, 400), TEST_POLICY, runId);
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(await states(ledger)).toEqual(['replaced', 'accepted']);
  });
});

describe('outcomes', () => {
  it('a 429 spends no try and waits again', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, THROTTLED, 429);
    expect(await submission(ledger, 1)).toMatchObject({
      state: 'waiting',
      tries: 0,
      repeats: 0,
      next_attempt_at: null,
    });
  });

  it('passing faults are tried again later and end as failed', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    for (let tries = 1; tries <= 3; tries += 1) {
      await deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
      expect((await submission(ledger, 1)).tries).toBe(tries);
      clock.pass(1_000);
    }
    expect(await submission(ledger, 1)).toMatchObject({ state: 'failed', repeats: 2 });
  });

  it.each([
    ['a passing fault that may have been written, is counted as a repeat', SERVER_ERROR, 503, 3],
    [
      'a connection refused, is none',
      { kind: 'transient', reason: 'ECONNREFUSED', retryAfterMs: null, mayBeWritten: false } as const,
      null,
      0,
    ],
  ])('a rerun of a row that failed by %s', async (_, outcome, status, repeats) => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    for (let tries = 1; tries <= 3; tries += 1) {
      const claimed = await claimNext(ledger, lease, runId);
      const answer = answerOf(outcome, status ?? 0);
      await recordAnswer(
        ledger,
        claimed?.attemptId ?? 0,
        status === null ? { ...answer, response: null, failure: { code: 'ECONNREFUSED' } } : answer,
        TEST_POLICY,
        runId,
      );
      clock.pass(1_000);
    }
    await decide(ledger, rerun, await select(ledger, { states: ['failed'] }), null);
    expect(await submission(ledger, 1)).toMatchObject({ state: 'waiting', tries: 0, repeats });
  });

  it('a retry that was put off at a time still to come is due: the wall clock was set back', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, SERVER_ERROR, 503);
    clock.setWall(clock.nowMs() - 86_400_000);
    expect(await claimNext(ledger, lease, runId)).not.toBeNull();
  });

  it('silence is sent again within its bound, marked, then in doubt', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    for (let sent = 1; sent <= 3; sent += 1) {
      await deliverNext(ledger, lease, runId, SILENCE);
      clock.pass(1_000);
    }
    expect(await submission(ledger, 1)).toMatchObject({ state: 'in-doubt', resends: 2, repeats: 2 });
  });

  it('what a dead owner left under way becomes an attempt without an answer and is sent again', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    await claimNext(ledger, lease, runId);
    await releaseLease(ledger, lease);
    const successor = await mustLease(ledger, 'push:main');
    expect(await takeOver(ledger, 'main', TEST_POLICY, runId)).toBe(1);
    clock.pass(1_000);
    await deliverNext(ledger, successor, runId, ACCEPTED);
    expect(await submission(ledger, 1)).toMatchObject({ state: 'accepted', repeats: 1 });
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('a late answer that says accepted counts, and is kept beside the first', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    const claimed = await claimNext(ledger, lease, runId);
    await takeOver(ledger, 'main', TEST_POLICY, runId);
    const { effects } = await recordAnswer(
      ledger,
      claimed?.attemptId ?? 0,
      answerOf(ACCEPTED),
      TEST_POLICY,
      runId,
    );
    expect(effects).toEqual([{ submissionId: 1, state: 'accepted', stops: null }]);
    const { lives } = await traceOf(ledger, '#1');
    expect(lives[0]?.attempts.map(({ answers }) => answers)).toMatchObject([
      [
        { isLate: false, outcome: 'unknown' },
        { isLate: true, outcome: 'accepted' },
      ],
    ]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('an attempt whose submission was accepted by a late answer meanwhile is closed by the next owner', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    const first = await claimNext(ledger, lease, runId);
    await takeOver(ledger, 'main', { ...TEST_POLICY, backOffMs: () => 0 }, runId);
    await releaseLease(ledger, lease);
    await claimNext(ledger, await mustLease(ledger, 'push:main'), runId);
    await recordAnswer(ledger, first?.attemptId ?? 0, answerOf(ACCEPTED), TEST_POLICY, runId);
    expect(await imbalances(ledger)).toEqual([]);
    expect(await takeOver(ledger, 'main', TEST_POLICY, runId)).toBe(1);
    expect(await imbalances(ledger)).toEqual([]);
    expect(await states(ledger)).toEqual(['accepted']);
  });

  it('a late refusal changes nothing', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    const claimed = await claimNext(ledger, await mustLease(ledger, 'push:main'), runId);
    await takeOver(ledger, 'main', TEST_POLICY, runId);
    expect(
      await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(REJECTED, 400), TEST_POLICY, runId),
    ).toEqual({ effects: [{ submissionId: 1, state: null, stops: null }], endsOutage: false });
    expect(await states(ledger)).toEqual(['waiting']);
  });

  it('a late refusal changes nothing either while the row is under way again', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    const lease = await mustLease(ledger, 'push:main');
    const first = await claimNext(ledger, lease, runId);
    await takeOver(ledger, 'main', { ...TEST_POLICY, backOffMs: () => 0 }, runId);
    await releaseLease(ledger, lease);
    await claimNext(ledger, await mustLease(ledger, 'push:main'), runId);
    const late = await recordAnswer(
      ledger,
      first?.attemptId ?? 0,
      answerOf(REJECTED, 400),
      TEST_POLICY,
      runId,
    );
    expect(late.effects).toEqual([{ submissionId: 1, state: null, stops: null }]);
    expect(await states(ledger)).toEqual(['sending']);
  });

  it('nothing is claimed under a lease that has gone to another owner', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}]);
    const lost = await mustLease(ledger, 'push:main');
    await releaseLease(ledger, lost);
    await mustLease(ledger, 'push:main');
    expect(await claim(ledger, lost, 1, runId)).toBeNull();
  });
});

describe('learners the platform does not know', () => {
  const rows = [{ content: 'C-1' }, { content: 'C-2' }, { content: 'C-3' }];

  async function refused(ledger: Ledger) {
    const { runId } = await stage(ledger, rows);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(await claimNext(ledger, lease, runId)).toBeNull();
    return { runId, lease };
  }

  it('the first refusal holds the other rows without a request', async () => {
    const ledger = testLedger();
    await refused(ledger);
    expect(await states(ledger)).toEqual(['rejected', 'held:learner-unknown', 'held:learner-unknown']);
    expect((await ledgerTotals(ledger)).attempts).toBe(1);
  });

  it('rows staged later are held as well, those of other learners are not', async () => {
    const ledger = testLedger();
    await refused(ledger);
    await stage(ledger, [{ content: 'C-4' }, { user: 'bob@example.com' }]);
    expect((await states(ledger)).slice(3)).toEqual(['held:learner-unknown', 'waiting']);
  });

  it('a rerun that is accepted lifts the hold and releases the others', async () => {
    const ledger = testLedger();
    const { runId, lease } = await refused(ledger);
    await decide(
      ledger,
      rerun,
      await select(ledger, { states: ['rejected'], cause: 'learner-unknown' }),
      null,
    );
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(await states(ledger)).toEqual(['accepted', 'waiting', 'waiting']);
  });

  it('a refusal also holds rows that a rerun overrode, and the override lasts until the learner is known', async () => {
    const ledger = testLedger();
    const { runId, lease } = await refused(ledger);
    await decide(ledger, rerun, await select(ledger, { states: ['rejected', 'held'] }), null);
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    expect(await states(ledger)).toEqual(['rejected', 'held:learner-unknown', 'held:learner-unknown']);
    expect((await submission(ledger, 2)).overrides).toBe('all');
    expect(await claimNext(ledger, lease, runId)).toBeNull();
  });

  it('what was refused while it was under way waits again once the learner is known', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, rows);
    const lease = await mustLease(ledger, 'push:main');
    const [first, second] = [await claimNext(ledger, lease, runId), await claimNext(ledger, lease, runId)];
    for (const claimed of [first, second]) {
      await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(UNKNOWN_LEARNER, 400), TEST_POLICY, runId);
    }
    await stage(ledger, [{ content: 'C-4' }]);
    expect(await states(ledger)).toEqual(['rejected', 'rejected', 'waiting', 'held:learner-unknown']);
    await decide(ledger, rerun, await select(ledger, { states: ['held'] }), null);
    expect((await deliverNext(ledger, lease, runId, ACCEPTED)).submissionId).toBe(4);
    expect(await states(ledger)).toEqual(['waiting', 'waiting', 'waiting', 'accepted']);
  });

  it('a refusal for another reason stays when the learner is known', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, rows);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    await decide(
      ledger,
      rerun,
      await select(ledger, { states: ['rejected'], cause: 'learner-unknown' }),
      null,
    );
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect((await states(ledger))[0]).toBe('rejected');
  });
});

describe('a drop that is being staged', () => {
  it('is never claimed and counts nowhere', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}], { publish: false });
    expect(await claimNext(ledger, await mustLease(ledger, 'push:main'), runId)).toBeNull();
    expect(await select(ledger, { states: ['waiting'] })).toEqual([]);
    expect(await imbalances(ledger)).toEqual([]);
  });

  it('does not keep the rows behind it from being sent', async () => {
    const ledger = testLedger();
    await stage(ledger, [{ user: 'first@example.com' }]);
    const { runId } = await stage(
      ledger,
      Array.from({ length: 50 }, (_, i) => ({ user: `u${i}@example.com` })),
      {
        publish: false,
      },
    );
    const lease = await mustLease(ledger, 'push:main');
    expect((await deliverNext(ledger, lease, runId, ACCEPTED)).record.fields['user-id']).toBe(
      'first@example.com',
    );
    expect(await claimNext(ledger, lease, runId)).toBeNull();
  });

  it('leaves nothing behind when it is withdrawn, and others untouched', async () => {
    const ledger = testLedger();
    await stage(ledger, [{}]);
    const { dropId } = await stage(ledger, [{ user: 'bob@example.com' }, { percentile: 3 }], {
      publish: false,
    });
    await discardRows(ledger, dropId);
    expect(await ledgerTotals(ledger)).toMatchObject({ rows: 1, submissions: 1 });
    expect(await states(ledger)).toEqual(['waiting']);
    expect(await ledgerHealth(ledger, 'deep')).toMatchObject({ fault: null });
    expect(() => writeDirectly(ledger, 'update drop_file set run_id = 99 where drop_id = 2')).toThrow(
      /FOREIGN KEY/,
    );
  });

  it('is the only one of its source', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{}], { publish: false });
    const second = async () =>
      beginDrop(
        ledger,
        {
          source: 'academy',
          identity: { sha256: 'f'.repeat(64), bytes: 1 },
          fileName: 'x.csv',
          operation: 'submit-completion',
          environment: 'main',
          runId,
          isResumed: false,
        },
        {
          format: 'csv',
          sheet: null,
          headerLine: 1,
          header: [],
          mapping: {},
          settings: 's',
          sheetsLeft: [],
          zones: [],
        },
      );
    await expect(second).rejects.toThrow(/UNIQUE/);
  });
});

describe('decisions', () => {
  it('move only what was selected and has not moved on meanwhile', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ content: 'C-1' }, { content: 'C-2' }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    const selected = await select(ledger, { states: ['rejected'] });
    await decide(ledger, rerun, selected.slice(0, 1), null);
    expect((await decide(ledger, rerun, selected, null)).moved).toBe(1);
    expect(await states(ledger)).toEqual(['waiting', 'waiting']);
  });

  it('let a rerun go before what was staged earlier', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ user: 'first@example.com' }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await stage(ledger, [{ user: 'second@example.com' }]);
    await stage(ledger, [{ user: 'third@example.com' }]);
    await decide(ledger, rerun, await select(ledger, { states: ['rejected'] }), null);
    expect((await deliverNext(ledger, lease, runId, ACCEPTED)).submissionId).toBe(1);
  });
});
