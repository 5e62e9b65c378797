import { describe, expect, it } from 'vitest';
import { finishDecisions } from '../../src/actions/decision/finish.js';
import { learnerFromText, learnerToMap } from '../../src/actions/learners/learners-named.js';
import { plannedMapping, map as verb } from '../../src/actions/map.js';
import { systemClock } from '../../src/domain/clock.js';
import type { Correction } from '../../src/domain/learners/corrected-learners.js';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { unknownLearners } from '../../src/ledger/books/unknown-learners.js';
import { openDecisions, recordDecision, resultOf } from '../../src/ledger/decisions/decision-log.js';
import { corrections, saveCorrection } from '../../src/ledger/decisions/known-learners.js';
import { replaceRows } from '../../src/ledger/decisions/mapping.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { fieldsIn } from '../../src/ledger/submissions/record/kept-record.js';
import { keyMaker } from '../../src/operations/keys.js';
import { recordIdentifier } from '../../src/operations/prepared-record.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { actionContext } from '../support/action-context.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { forget } from '../support/forget.js';
import { decisions, lives, traceOf } from '../support/ledger-trace.js';
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
  states,
  submission,
  TEST_POLICY,
  testLedger,
  UNKNOWN_LEARNER,
} from '../support/staged-ledger.js';

const OLD = 'ada@old.example';
const NEW = 'ada@new.example';

/** The correction as the command line would read it. */
async function correctionOf(ledger: Ledger, old = OLD, now = NEW, type = 'Email'): Promise<Correction> {
  return { old: await learnerToMap(ledger, old, undefined), now: learnerFromText(ledger, type, now, 'NEW') };
}

async function mapLearner(ledger: Ledger, correction: Correction) {
  const context = actionContext(ledger);
  return verb.carryOut(context, await plannedMapping(ledger, correction), decider('ada'), 'married');
}

async function map(ledger: Ledger, old = OLD, now = NEW, type = 'Email') {
  const mapped = await mapLearner(ledger, await correctionOf(ledger, old, now, type));
  expect(await imbalances(ledger)).toEqual([]);
  return mapped;
}

const planMapping = async (ledger: Ledger, correction: Correction) => plannedMapping(ledger, correction);

/** Each submission as "learner content state", with the one that took its place. */
async function rows(ledger: Ledger): Promise<string[]> {
  return (await lives(ledger)).map(({ record, state, heldReason, replacedBy }) => {
    const stateText = heldReason === null ? state : `${state}:${heldReason}`;
    const row = `${record?.['user-id']} ${record?.['content-id']} ${stateText}`;
    return replacedBy === null ? row : `${row} by ${replacedBy}`;
  });
}

describe('mapping a learner', () => {
  it('replaces what was not delivered by the same rows under the new identifier, made by the decision', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [
      { user: OLD, content: 'C-1' },
      { user: OLD, content: 'C-2' },
      { user: OLD, content: 'C-3' },
      { user: OLD, content: 'C-4' },
      { user: 'bea@example.org' },
    ]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, ACCEPTED);
    for (let tries = 0; tries < TEST_POLICY.maxTries; tries += 1) {
      const claimed = await claimNext(ledger, lease, runId);
      await recordAnswer(
        ledger,
        claimed?.attemptId ?? 0,
        answerOf(SERVER_ERROR, 503),
        { ...TEST_POLICY, backOffMs: () => 0 },
        runId,
      );
    }
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    const mapped = await map(ledger);
    expect(mapped).toMatchObject({ made: 3, linked: 0, left: 0 });
    expect(await rows(ledger)).toEqual([
      `${OLD} C-1 accepted`,
      `${OLD} C-2 replaced by 6`,
      `${OLD} C-3 replaced by 7`,
      `${OLD} C-4 replaced by 8`,
      'bea@example.org C-1 waiting',
      ...['C-2', 'C-3', 'C-4'].map((content) => `${NEW} ${content} waiting`),
    ]);
    const { decisionId } = mapped;
    const decision = { decisionId, kind: 'map', who: 'ada', because: 'married' };
    expect((await traceOf(ledger, '#7')).lives.at(-1)).toMatchObject({ line: 4, madeBy: decision });
    expect(await decisions(ledger)).toEqual([
      expect.objectContaining({ ...decision, finishedAt: expect.any(String) }),
    ]);
    expect(await resultOf(ledger, Number(decisionId))).toEqual({ moved: 3, made: 3, resolved: 0 });
    expect(await unknownLearners(ledger, {}, 1)).toMatchObject({ learners: 0 });
  });

  it('creates nothing where the record already exists under the new identifier', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [{ user: NEW }, { user: OLD }, { user: OLD, content: 'C-2' }]);
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, ACCEPTED);
    expect(await map(ledger)).toMatchObject({ made: 1, linked: 1 });
    expect(await rows(ledger)).toEqual([
      `${NEW} C-1 accepted`,
      `${OLD} C-1 replaced by 1`,
      `${OLD} C-2 replaced by 4`,
      `${NEW} C-2 waiting`,
    ]);
  });

  it('makes rows that the guards still check: a correction or an older completion of what was accepted is held', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [
      { user: NEW, content: 'C-1', percentile: 1 },
      { user: NEW, content: 'C-2', at: '2026-02-01T00:00:00.000Z' },
      { user: OLD, content: 'C-3', percentile: 1 },
      { user: OLD, content: 'C-4', at: '2026-02-01T00:00:00.000Z' },
    ]);
    const lease = await mustLease(ledger, 'push:main');
    for (let n = 0; n < 4; n += 1) await deliverNext(ledger, lease, runId, ACCEPTED);
    await stage(ledger, [
      { user: OLD, content: 'C-1', percentile: 2 },
      { user: OLD, content: 'C-2' },
      { user: OLD, content: 'C-3', percentile: 2 },
      { user: OLD, content: 'C-4' },
    ]);
    await map(ledger);
    const made = (await rows(ledger)).slice(8).sort();
    expect(made).toEqual([
      `${NEW} C-1 held:amended`,
      `${NEW} C-2 held:out-of-order`,
      `${NEW} C-3 held:amended`,
      `${NEW} C-4 held:out-of-order`,
    ]);
  });

  it('makes held rows where the platform does not know the new identifier either', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [{ user: NEW }, { user: OLD, content: 'C-2' }]);
    await deliverNext(ledger, await mustLease(ledger, 'push:main'), runId, UNKNOWN_LEARNER, 400);
    await map(ledger);
    expect(await states(ledger)).toEqual(['rejected', 'replaced', 'held:learner-unknown']);
  });

  it('leaves rows under way alone and reports them; mapping again moves them once they are refused', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [
      { user: OLD, content: 'C-1' },
      { user: OLD, content: 'C-2' },
    ]);
    const claimed = await claimNext(ledger, await mustLease(ledger, 'push:main'), runId);
    const first = await map(ledger);
    expect(first.mapping.states).toEqual({ sending: 1, waiting: 1 });
    expect(await states(ledger)).toEqual(['sending', 'replaced', 'waiting']);
    await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(UNKNOWN_LEARNER, 400), TEST_POLICY, runId);
    expect(await map(ledger)).toMatchObject({ made: 1 });
    expect(await rows(ledger)).toEqual([
      `${OLD} C-1 replaced by 4`,
      `${OLD} C-2 replaced by 3`,
      `${NEW} C-2 waiting`,
      `${NEW} C-1 waiting`,
    ]);
  });

  it('leaves out what another process has sent between the plan and its execution', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [{ user: OLD }]);
    const { rows: found, corrections: known } = await planMapping(ledger, await correctionOf(ledger));
    const identify = recordIdentifier(
      { operation: submitCompletion, environment: 'main' },
      keyMaker(ledger.salt),
      known,
    );
    await claimNext(ledger, await mustLease(ledger, 'push:main'), runId);
    const identified = found.map((row) => ({ ...row, identified: identify(row.record) }));
    expect(await replaceRows(ledger, 1, identified)).toEqual({ made: 0, linked: 0, left: 1 });
    expect(await states(ledger)).toEqual(['sending']);
  });

  it('counts a row of unknown fate as one that may be written twice', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [{ user: OLD }]);
    const claimed = await claimNext(ledger, await mustLease(ledger, 'push:main'), runId);
    const hold = { ...TEST_POLICY, onUnknown: 'hold' } as const;
    await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(SILENCE), hold, runId);
    await map(ledger);
    expect(await submission(ledger, 2)).toMatchObject({ state: 'waiting', repeats: 1 });
  });

  it('keeps the revisions of a row in order', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [{ user: OLD, percentile: 1 }]);
    const lease = await mustLease(ledger, 'push:main');
    const claimed = await claimNext(ledger, lease, runId);
    await stage(ledger, [{ user: OLD, percentile: 2 }]);
    await recordAnswer(ledger, claimed?.attemptId ?? 0, answerOf(REJECTED, 400), TEST_POLICY, runId);
    await map(ledger);
    expect((await deliverNext(ledger, lease, runId, ACCEPTED)).record.fields.percentile).toBe(2);
    expect(await states(ledger)).toEqual(['replaced', 'replaced', 'replaced', 'accepted']);
  });

  it('to another identifier takes the place of the earlier correction, and moves what that has made', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [
      { user: 'typo@new.example', content: 'C-3' },
      { user: OLD, content: 'C-1' },
      { user: OLD, content: 'C-2' },
    ]);
    await map(ledger, OLD, 'typo@new.example');
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    const again = await map(ledger, OLD, NEW);
    expect(again.mapping.replacesEarlier).toBe(true);
    expect((await corrections(ledger)).map(({ now }) => now.id)).toEqual([NEW]);
    expect(await rows(ledger)).toEqual([
      // The mapping doesn't concern the other learner's own row.
      'typo@new.example C-3 rejected',
      `${OLD} C-1 replaced by 6`,
      `${OLD} C-2 replaced by 7`,
      'typo@new.example C-1 replaced by 6',
      'typo@new.example C-2 replaced by 7',
      `${NEW} C-1 waiting`,
      `${NEW} C-2 waiting`,
    ]);
    expect(await decisions(ledger)).toHaveLength(2);
  });

  it('to another identifier also delivers what the earlier correction found undelivered', async () => {
    const ledger = testLedger(systemClock());
    const { runId } = await stage(ledger, [
      { user: 'bea@x.example', content: 'C-1' },
      { user: 'bea@x.example', content: 'C-2' },
      { user: OLD, content: 'C-1' },
      { user: OLD, content: 'C-2' },
    ]);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, ACCEPTED);
    expect(await map(ledger, OLD, 'bea@x.example')).toMatchObject({ made: 0, linked: 2 });
    expect(await map(ledger, OLD, NEW)).toMatchObject({ made: 1, linked: 0 });
    expect(await rows(ledger)).toEqual([
      'bea@x.example C-1 accepted',
      'bea@x.example C-2 waiting',
      `${OLD} C-1 replaced by 1`,
      `${OLD} C-2 replaced by 5`,
      `${NEW} C-2 waiting`,
    ]);
  });

  it('to another identifier leaves alone what another learner was mapped to as well', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: 'bea@x.example' }, { user: OLD }]);
    await map(ledger, 'bea@x.example', 'wrong@x.example');
    await map(ledger, OLD, 'wrong@x.example');
    await map(ledger, OLD, NEW);
    expect(await rows(ledger)).toEqual([
      'bea@x.example C-1 replaced by 3',
      `${OLD} C-1 replaced by 4`,
      'wrong@x.example C-1 waiting',
      `${NEW} C-1 waiting`,
    ]);
  });

  it('repeated unchanged changes nothing', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: OLD }]);
    await map(ledger);
    const before = await rows(ledger);
    expect(await map(ledger)).toMatchObject({ made: 0, linked: 0 });
    expect(await rows(ledger)).toEqual(before);
  });

  it('whose process died is carried out to its end by the next process, once', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: OLD }]);
    const correction = await correctionOf(ledger);
    const selection = { old: correction.old.hash, new: correction.now.hash };
    const facts = { kind: 'map' as const, who: decider('ada'), because: 'married', selection };
    await saveCorrection(ledger, correction, await recordDecision(ledger, facts));
    expect(await finishDecisions(actionContext(ledger), null)).toEqual([]);
    expect(await openDecisions(ledger)).toEqual([]);
    expect(await rows(ledger)).toEqual([`${OLD} C-1 replaced by 2`, `${NEW} C-1 waiting`]);
    expect(await resultOf(ledger, 1)).toEqual({ moved: 1, made: 1, resolved: 0 });
  });

  it('goes on through a correction of the new identifier, and takes along what was corrected to the old one', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [
      { user: 'a@x.example', content: 'C-1' },
      { user: 'b@x.example', content: 'C-2' },
    ]);
    await map(ledger, 'a@x.example', 'b@x.example');
    await map(ledger, 'b@x.example', 'c@x.example');
    expect((await rows(ledger)).filter((row) => row.startsWith('c@'))).toHaveLength(2);
    await stage(ledger, [{ user: 'd@x.example', content: 'C-3' }]);
    await map(ledger, 'd@x.example', 'a@x.example');
    expect((await rows(ledger)).at(-1)).toBe('c@x.example C-3 waiting');
  });

  it('may name an identifier of another type', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: OLD }]);
    await map(ledger, OLD, ' 00123 ', 'EmployeeId');
    const record = fieldsIn((await submission(ledger, 2)).encoded_record);
    expect(record).toMatchObject({ 'user-identifier-type': 'EmployeeId', 'user-id': '00123' });
  });

  it('moves rows of every environment', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: OLD }]);
    await stage(ledger, [{ user: OLD }], { environment: 'other' });
    expect(await map(ledger)).toMatchObject({ made: 2 });
  });

  it('moves a learner with more rows than go into one transaction', async () => {
    const ledger = testLedger(systemClock());
    await stage(
      ledger,
      Array.from({ length: 120 }, (_, n) => ({ user: OLD, content: `C-${n}` })),
    );
    expect(await map(ledger)).toMatchObject({ made: 120 });
  });

  it('waits for no staging process', async () => {
    const ledger = testLedger(systemClock());
    await stage(ledger, [{ user: OLD }]);
    await mustLease(ledger, 'stage');
    await expect(mapLearner(ledger, await correctionOf(ledger))).rejects.toThrow(/is staging/);
    expect(await corrections(ledger)).toEqual([]);
  });
});

describe('a mapping is refused', () => {
  const ledgerWith = async (...maps: [string, string][]) => {
    const ledger = testLedger(systemClock());
    await stage(
      ledger,
      ['a', 'b', 'c'].map((name) => ({ user: `${name}@x.example` })),
    );
    for (const [old, now] of maps) await map(ledger, `${old}@x.example`, `${now}@x.example`);
    return ledger;
  };

  it('to the same identifier, however it is written', async () => {
    const ledger = await ledgerWith();
    await expect(async () =>
      planMapping(ledger, await correctionOf(ledger, 'A@x.example ', 'a@X.example')),
    ).rejects.toThrow(/the same/);
  });

  it('that would go in a circle, over whatever is between', async () => {
    const ledger = await ledgerWith(['a', 'b'], ['b', 'c']);
    await expect(async () =>
      planMapping(ledger, await correctionOf(ledger, 'c@x.example', 'a@x.example')),
    ).rejects.toThrow(/mapped to the old one before/);
    await planMapping(ledger, await correctionOf(ledger, 'a@x.example', 'c@x.example'));
  });

  it('of a learner, or to one, who was forgotten', async () => {
    const ledger = await ledgerWith();
    await forget(ledger, 'a@x.example');
    for (const [old, now] of [
      ['a', 'c'],
      ['c', 'a'],
    ] as const) {
      await expect(async () =>
        planMapping(ledger, await correctionOf(ledger, `${old}@x.example`, `${now}@x.example`)),
      ).rejects.toThrow(/forgotten/);
    }
  });

  it('of an identifier that no row has, unless its type says how to read it', async () => {
    const ledger = await ledgerWith();
    await expect(async () => learnerToMap(ledger, 'nobody@x.example', undefined)).rejects.toThrow(
      /no row has/,
    );
    expect((await learnerToMap(ledger, 'Nobody@X.example', 'Email')).id).toBe('nobody@x.example');
  });

  it('to what isn’t an identifier, in a sentence that does not repeat it', async () => {
    const ledger = await ledgerWith();
    const wrong = () => learnerFromText(ledger, 'Email', 'ada at x', 'NEW');
    expect(wrong).toThrow('NEW is not one e-mail address: it has no @');
    expect(() => learnerFromText(ledger, 'UserId', ' - ', 'NEW')).toThrow(/means "no value"/);
  });
});

it('a rerun selects rows that a mapping made', async () => {
  const ledger = testLedger(systemClock());
  const { runId } = await stage(ledger, [{ user: OLD }]);
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  await map(ledger);
  await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
  const rerun = { kind: 'rerun', who: decider('ada'), because: null, selection: {} } as const;
  expect((await decide(ledger, rerun, await select(ledger, { states: ['rejected'] }), null)).moved).toBe(1);
  expect((await deliverNext(ledger, lease, runId, ACCEPTED)).record.fields['user-id']).toBe(NEW);
});
