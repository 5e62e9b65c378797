import { describe, expect, it } from 'vitest';
import { finishDecisions } from '../../../src/actions/decision/finish.js';
import { collected } from '../../../src/domain/process/series.js';
import { resultOf } from '../../../src/ledger/decisions/decision-log.js';
import { moveListedRows } from '../../../src/ledger/decisions/move-listed-rows.js';
import { openDecision } from '../../../src/ledger/erasure/open-decision.js';
import { ledgerTotals } from '../../../src/ledger/store/ledger-facts.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { rowsToMove } from '../../../src/ledger/submissions/select/select-rows.js';
import { actionContext } from '../../support/action-context.js';
import { writeDirectly } from '../../support/damage.js';
import { decide, listing, these } from '../../support/decide.js';
import { decider } from '../../support/decider.js';
import { decisions } from '../../support/ledger-trace.js';
import { select } from '../../support/select.js';
import {
  ACCEPTED,
  deliverNext,
  mustLease,
  preparedLedgers,
  REJECTED,
  stage,
  states,
  testLedger,
} from '../../support/staged-ledger.js';

const rerun = { kind: 'rerun' as const, who: decider('ada'), because: 'mended', selection: {} };
const dismiss = { kind: 'dismiss' as const, who: decider('bea'), because: 'left', selection: {} };

/** So many refused rows, each of a learner of its own. */
async function refuse(ledger: Ledger, count: number) {
  const learners = Array.from({ length: count }, (_, n) => ({ user: `learner${n}@example.com` }));
  const { runId } = await stage(ledger, learners);
  const lease = await mustLease(ledger, 'push:main');
  for (let n = 0; n < count; n += 1) await deliverNext(ledger, lease, runId, REJECTED, 400);
  return { runId, lease };
}

async function withRefused(count: number) {
  const ledger = testLedger();
  const refused = await refuse(ledger, count);
  return { ledger, ...refused, selected: await select(ledger, { states: ['rejected'] }) };
}

/** More rows than one transaction moves, and two of them beyond it. */
const MANY = 502;

let many: Awaited<ReturnType<typeof refuse>>;

const copy = preparedLedgers(async (ledger) => {
  many = await refuse(ledger, MANY);
});

/** The same with many rows: made once, and copied for each test. */
async function withManyRefused() {
  const ledger = await copy();
  return { ledger, ...many, selected: await select(ledger, { states: ['rejected'] }) };
}

/** What would keep each row in a state from being sent if it were rerun. */
async function obstacles(ledger: Ledger, state: 'rejected' | 'replaced' = 'rejected') {
  const pages = await collected(rowsToMove(ledger, { states: [state] }));
  return pages.flat().map(({ obstacle }) => obstacle);
}

/** As the next process does. */
function finish(ledger: Ledger) {
  return finishDecisions(actionContext(ledger), null);
}

async function finished(ledger: Ledger): Promise<boolean[]> {
  return (await decisions(ledger)).map(({ finishedAt }) => finishedAt !== null);
}

describe('a decision that was broken off', () => {
  it('is carried out to its end by the next process, on its rows alone', async () => {
    const { ledger, selected } = await withManyRefused();
    const others = selected.slice(500);
    const { decisionId } = await openDecision(ledger, listing(rerun, these(selected.slice(0, 500))));
    expect((await states(ledger)).filter((state) => state === 'waiting')).toHaveLength(0);
    expect(await finish(ledger)).toEqual([]);
    expect((await states(ledger)).filter((state) => state === 'waiting')).toHaveLength(500);
    expect(await select(ledger, { states: ['rejected'] })).toEqual(others);
    expect(await finished(ledger)).toEqual([true]);
    expect(await finish(ledger)).toEqual([]);
    expect(await resultOf(ledger, decisionId)).toMatchObject({ moved: 500 });
  });

  it('moves the pages that were left, and not once more what has moved since', async () => {
    const { ledger, runId, lease, selected } = await withManyRefused();
    const { decisionId } = await openDecision(ledger, listing(rerun, these(selected)));
    // Killed behind the first page; then a row of it is sent and refused again.
    await moveListedRows(ledger, { decisionId, kind: 'rerun' }, null).next();
    expect(await select(ledger, { states: ['rejected'] })).toHaveLength(2);
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await finish(ledger);
    expect((await select(ledger, { states: ['rejected'] })).map(({ submissionId }) => submissionId)).toEqual([
      1,
    ]);
  });

  it('leaves a row alone that another decision has moved on meanwhile', async () => {
    const { ledger, selected } = await withRefused(2);
    await openDecision(ledger, listing(dismiss, these(selected)));
    await decide(ledger, rerun, selected.slice(0, 1), null);
    await finish(ledger);
    expect(await states(ledger)).toEqual(['waiting', 'dismissed']);
  });

  it('may be carried out by two processes at once, each row moving once', async () => {
    const { ledger, selected } = await withManyRefused();
    const { decisionId } = await openDecision(ledger, listing(rerun, these(selected)));
    const before = await ledgerTotals(ledger);
    const one = moveListedRows(ledger, { decisionId, kind: 'rerun' }, null);
    const other = moveListedRows(ledger, { decisionId, kind: 'rerun' }, null);
    for (let turn = 0; turn < 3; turn += 1) await Promise.all([one, other].map((process) => process.next()));
    expect((await ledgerTotals(ledger)).transitions).toBe(before.transitions + MANY);
  });

  it('is not known at all where it was killed before all of its rows were listed', async () => {
    const { ledger, selected } = await withRefused(2);
    writeDirectly(
      ledger,
      `create temp trigger killed before insert on decision_submission when new.submission_id = 2
        begin select raise(abort, 'killed'); end`,
    );
    await expect(async () => openDecision(ledger, listing(rerun, these(selected)))).rejects.toThrow(/killed/);
    expect(await finished(ledger)).toEqual([]);
  });
});

describe('a decision', () => {
  it('leaves out what is no longer in the state in which it was selected', async () => {
    const { ledger, selected } = await withRefused(2);
    await decide(ledger, rerun, selected.slice(0, 1), null);
    expect((await decide(ledger, dismiss, selected, null)).moved).toBe(1);
    expect(await states(ledger)).toEqual(['waiting', 'dismissed']);
  });
});

describe('the plan of a rerun', () => {
  it('is to send nothing that a newer revision replaces', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ percentile: 1 }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await stage(ledger, [{ percentile: 2 }]);
    expect(await obstacles(ledger, 'replaced')).toEqual([{ kind: 'replaced', by: 2 }]);
  });

  it('is to wait for an older one of the same learner and content while that waits', async () => {
    const ledger = testLedger();
    const { runId } = await stage(ledger, [{ at: '2025-03-01T00:00:00.000Z' }]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await stage(ledger, [{ at: '2025-04-01T00:00:00.000Z' }]);
    expect(await obstacles(ledger)).toEqual([null]);
    await stage(ledger, [{ at: '2025-02-01T00:00:00.000Z' }]);
    expect(await obstacles(ledger)).toEqual([{ kind: 'behind', id: 3 }]);
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(await obstacles(ledger)).toEqual([null]);
  });
});
