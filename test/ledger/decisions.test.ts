import { describe, expect, it } from 'vitest';
import { finishDecisions } from '../../src/actions/decision/finish.js';
import { rerunOutlook } from '../../src/actions/rows/rerun-outlook.js';
import { listDecision, movePages } from '../../src/ledger/decisions.js';
import type { Ledger } from '../../src/ledger/query.js';
import { actionContext } from '../support/action-context.js';
import { decide, these } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { select } from '../support/select.js';
import {
  ACCEPTED,
  deliverNext,
  mustLease,
  REJECTED,
  stage,
  states,
  testLedger,
} from '../support/staged-ledger.js';

const rerun = { kind: 'rerun' as const, who: decider('ada'), because: 'mended', selection: {} };
const dismiss = { kind: 'dismiss' as const, who: decider('bea'), because: 'left', selection: {} };

/** A ledger in which so many rows were refused, each of a learner of its own. */
function withRefused(count: number) {
  const ledger = testLedger();
  const learners = Array.from({ length: count }, (_, n) => ({ user: `learner${n}@example.com` }));
  const { runId } = stage(ledger, learners);
  const lease = mustLease(ledger, 'push:main');
  for (let n = 0; n < count; n += 1) deliverNext(ledger, lease, runId, REJECTED, 400);
  return { ledger, runId, lease, selected: select(ledger, { states: ['rejected'] }) };
}

/** As the next process does. */
function finish(ledger: Ledger) {
  return finishDecisions(actionContext(ledger), null);
}

function finished(ledger: Ledger): boolean[] {
  return ledger.sqlite
    .prepare('select finished_at is not null from decision order by decision_id')
    .pluck()
    .all()
    .map((isFinished) => isFinished === 1);
}

describe('a decision that was broken off', () => {
  it('is carried out to its end by whoever comes next, on its rows alone', async () => {
    const { ledger, selected } = withRefused(501);
    const others = selected.slice(500);
    const decisionId = listDecision(ledger, rerun, these(selected.slice(0, 500)));
    expect(states(ledger).filter((state) => state === 'waiting')).toHaveLength(0);
    expect(await finish(ledger)).toEqual([]);
    expect(states(ledger).filter((state) => state === 'waiting')).toHaveLength(500);
    expect(select(ledger, { states: ['rejected'] })).toEqual(others);
    expect(finished(ledger)).toEqual([true]);
    expect(await finish(ledger)).toEqual([]);
    const who = ledger.sqlite.prepare('select distinct decision_id from transition where event = ?').pluck();
    expect(who.all('rerun')).toEqual([decisionId]);
  });

  it('moves the pages that were left, and not once more what has moved since', async () => {
    const { ledger, runId, lease, selected } = withRefused(502);
    const decisionId = listDecision(ledger, rerun, these(selected));
    // Killed behind the first page; then a row of it is sent and refused again.
    movePages(ledger, { decisionId, kind: 'rerun' }, null).next();
    expect(select(ledger, { states: ['rejected'] })).toHaveLength(2);
    deliverNext(ledger, lease, runId, REJECTED, 400);
    await finish(ledger);
    expect(select(ledger, { states: ['rejected'] }).map(({ submissionId }) => submissionId)).toEqual([1]);
  });

  it('leaves a row alone that another decision has moved on meanwhile', async () => {
    const { ledger, selected } = withRefused(2);
    listDecision(ledger, dismiss, these(selected));
    decide(ledger, rerun, selected.slice(0, 1), null);
    await finish(ledger);
    expect(states(ledger)).toEqual(['waiting', 'dismissed']);
  });

  it('may be carried out by two processes at once, each row moving once', () => {
    const { ledger, selected } = withRefused(501);
    const decisionId = listDecision(ledger, rerun, these(selected));
    const one = movePages(ledger, { decisionId, kind: 'rerun' }, null);
    const other = movePages(ledger, { decisionId, kind: 'rerun' }, null);
    for (let turn = 0; turn < 3; turn += 1) [one, other].map((process) => process.next());
    const moves = ledger.sqlite
      .prepare("select count(*) from transition where event = 'rerun'")
      .pluck()
      .get();
    expect(moves).toBe(501);
  });

  it('is not known at all where it was killed before all of its rows were listed', () => {
    const { ledger, selected } = withRefused(2);
    ledger.sqlite.exec(`create temp trigger killed before insert on decision_submission when new.submission_id = 2
      begin select raise(abort, 'killed'); end`);
    expect(() => listDecision(ledger, rerun, these(selected))).toThrow(/killed/);
    expect(finished(ledger)).toEqual([]);
  });
});

describe('a decision', () => {
  it('leaves out what is no longer in the state in which it was selected', () => {
    const { ledger, selected } = withRefused(2);
    decide(ledger, rerun, selected.slice(0, 1), null);
    expect(decide(ledger, dismiss, selected, null).moved).toBe(1);
    expect(states(ledger)).toEqual(['waiting', 'dismissed']);
  });
});

describe('what a rerun would do', () => {
  it('is to send nothing that a newer revision takes the place of', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ percentile: 1 }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, REJECTED, 400);
    const refused = select(ledger, { states: ['rejected'] });
    stage(ledger, [{ percentile: 2 }]);
    expect(rerunOutlook(ledger, refused).get(1)).toEqual({ kind: 'replaced', by: 2 });
  });

  it('is to wait for an older one of the same learner and content while that waits', () => {
    const ledger = testLedger();
    const { runId } = stage(ledger, [{ at: '2025-03-01T00:00:00.000Z' }]);
    const lease = mustLease(ledger, 'push:main');
    deliverNext(ledger, lease, runId, REJECTED, 400);
    const refused = select(ledger, { states: ['rejected'] });
    stage(ledger, [{ at: '2025-04-01T00:00:00.000Z' }]);
    expect([...rerunOutlook(ledger, refused)]).toEqual([]);
    stage(ledger, [{ at: '2025-02-01T00:00:00.000Z' }]);
    expect([...rerunOutlook(ledger, refused)]).toEqual([[1, { kind: 'behind', id: 3 }]]);
    deliverNext(ledger, lease, runId, ACCEPTED);
    expect([...rerunOutlook(ledger, refused)]).toEqual([]);
  });
});
