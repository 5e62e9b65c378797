import { describe, expect, it } from 'vitest';
import { finishDecisions } from '../../../src/actions/decision/finish.js';
import { forgetHandler } from '../../../src/actions/forgetting/handler.js';
import { map } from '../../../src/actions/map.js';
import { systemClock } from '../../../src/domain/clock.js';
import { recordAnswer } from '../../../src/ledger/attempts/answers.js';
import {
  closeDecision,
  decisionNumbered,
  openDecisions,
  recordDecision,
} from '../../../src/ledger/decisions/decision-log.js';
import { suppressLearners } from '../../../src/ledger/decisions/known-learners.js';
import { identifiersOfForget, storeIdentifiers } from '../../../src/ledger/erasure/person.js';
import { releaseLease } from '../../../src/ledger/leases/leases.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { keyMaker } from '../../../src/operations/keys.js';
import { actionContext } from '../../support/action-context.js';
import { decider } from '../../support/decider.js';
import {
  ACCEPTED,
  answerOf,
  claimNext,
  mustLease,
  stage,
  states,
  submission,
  TEST_POLICY,
  testLedger,
} from '../../support/staged-ledger.js';

const JANE = 'jane@x.example';

/** The state that a process leaves when it dies right after deciding to forget her. */
async function decidedToForget(ledger: Ledger): Promise<number> {
  const hash = keyMaker(ledger.salt).learner('Email', JANE);
  const selection = { learners: [hash], reports: false };
  const facts = { kind: 'forget' as const, who: decider('ada'), because: 'asked', selection };
  const decisionId = await recordDecision(ledger, facts);
  await suppressLearners(ledger, [hash], decisionId);
  await storeIdentifiers(ledger, decisionId, [JANE]);
  return decisionId;
}

describe('a forget that a process left unfinished', () => {
  it('waits while a row of the person is under way, stops nothing else, and is finished after its answer', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [
      { user: JANE },
      { user: JANE, content: 'C-2' },
      { user: 'bob@x.example' },
    ]);
    const lease = await mustLease(ledger, 'push:main');
    const claimed = await claimNext(ledger, lease, runId);
    await releaseLease(ledger, lease);
    const decisionId = await decidedToForget(ledger);
    const context = actionContext(ledger);
    expect(await finishDecisions(context, null)).toMatchObject([
      {
        exit: 'attention',
        message: expect.stringMatching(/^decision 1, forget of .*: rows about the person are being sent$/),
      },
    ]);
    const mapping = await map.plan(context, { old: 'bob@x.example', new: 'bea@x.example' });
    expect(await map.carryOut(context, mapping, decider('ada'), 'married')).toMatchObject({ made: 1 });
    expect(await openDecisions(ledger)).toMatchObject([{ decisionId, kind: 'forget' }]);

    await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(ACCEPTED), TEST_POLICY, runId);
    expect(await finishDecisions(context, null)).toEqual([]);
    expect(await openDecisions(ledger)).toEqual([]);
    expect((await states(ledger)).slice(0, 2)).toEqual(['accepted', 'dismissed']);
    expect((await submission(ledger, 1)).record).toBe(null);
  });

  it('waits for a process that delivers', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: JANE }]);
    const decisionId = await decidedToForget(ledger);
    await mustLease(ledger, 'push:main');
    expect(await finishDecisions(actionContext(ledger), null)).toEqual([]);
    expect(await openDecisions(ledger)).toMatchObject([{ decisionId, kind: 'forget' }]);
    expect(await identifiersOfForget(ledger, decisionId)).toEqual([JANE]);
  });

  it('stops between two pages once another process has its leases, and can be resumed', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: JANE }, { user: 'bob@x.example' }]);
    const decisionId = await decidedToForget(ledger);
    const decision = await decisionNumbered(ledger, decisionId);
    const context = actionContext(ledger);
    await expect(
      forgetHandler.carryOut(context, decision, null, {
        leases: [],
        lost: AbortSignal.abort(),
      }),
    ).rejects.toThrow(/taken over/);
    await expect(async () => closeDecision(ledger, decisionId)).rejects.toThrow(
      /identifiers that it looked for/,
    );
    expect(await finishDecisions(context, null)).toEqual([]);
    expect(await submission(ledger, 1)).toMatchObject({ state: 'dismissed', record: null });
    expect(await submission(ledger, 2)).toMatchObject({ state: 'waiting', record: expect.any(String) });
  });
});
