import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forget } from '../../src/actions/forgetting/forget.js';
import { map } from '../../src/actions/map.js';
import { purge } from '../../src/actions/purging/purge.js';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import type { Outcome } from '../../src/domain/outcome.js';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { actionContext } from '../support/action-context.js';
import { decider } from '../support/decider.js';
import { lives } from '../support/ledger-trace.js';
import type { Completion } from '../support/prepared-completion.js';
import { samples } from '../support/samples.js';
import {
  ACCEPTED,
  answerOf,
  claimNext,
  mustLease,
  REJECTED,
  SERVER_ERROR,
  stage,
  TEST_POLICY,
  testLedger,
  UNKNOWN_LEARNER,
} from '../support/staged-ledger.js';

const JANE = 'jane@old.example';
const NEW_JANE = 'jane@new.example';

const completion: fc.Arbitrary<Completion> = fc.record({
  user: fc.constantFrom(JANE, NEW_JANE, 'bob@x.example', `mary-${JANE}`),
  content: fc.constantFrom('C-1', 'C-2', 'C-3'),
  at: fc.constantFrom('2026-01-10T09:00:00.000Z', '2026-01-11T09:00:00.000Z'),
  percentile: fc.constantFrom(50, 60),
});

const outcome: fc.Arbitrary<Outcome> = fc.constantFrom(ACCEPTED, REJECTED, UNKNOWN_LEARNER, SERVER_ERROR);

/** Files, and how the platform answers what is delivered of them; the rest waits. */
const history = fc.record({
  files: fc.array(fc.array(completion, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 }),
  answers: fc.array(outcome, { maxLength: 20 }),
});

type History = typeof history extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** A ledger with that history, an hour ago. */
async function ledgerWith({ files, answers }: History): Promise<Ledger> {
  const clock = systemClock();
  let ago = 3_600_000;
  const ledger = testLedger({ ...clock, nowMs: () => clock.nowMs() - ago });
  const left = [...answers];
  for (const rows of files) {
    const { runId } = await stage(ledger, rows);
    const lease = await mustLease(ledger, 'push:main');
    for (const outcome of left.splice(0, Math.ceil(answers.length / files.length))) {
      const claimed = await claimNext(ledger, lease, runId);
      if (claimed === null) break;
      const { response, ...answer } = answerOf(outcome, outcome === ACCEPTED ? 201 : 400);
      const echoed = response && { ...response, body: `about ${String(claimed.record.fields['user-id'])}` };
      await recordAnswer(ledger, claimed.attemptId, { ...answer, response: echoed }, TEST_POLICY, runId);
    }
    await releaseLease(ledger, lease);
  }
  ago = 0;
  return ledger;
}

const WHO = decider('ada');

/** Each draw has a ledger of its own. */
const RUNS = { numRuns: samples(40) };

describe('a plan equals what carrying it out does', () => {
  it('of a mapping: the rows that are replaced', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (drawn) => {
        const ledger = await ledgerWith(drawn);
        const context = actionContext(ledger);
        const planned = await map.plan(context, { old: JANE, new: NEW_JANE, type: 'Email' });
        const { made, linked, left, mapping, decisionId } = await map.carryOut(context, planned, WHO, 'x');
        expect({ replaced: made + linked, left }).toEqual({ replaced: planned.rows.length, left: 0 });
        expect(mapping).toEqual(planned);
        const moves = (await lives(ledger)).flatMap(({ transitions }) => transitions);
        const replaced = moves.filter(
          ({ to, decision }) => to === 'replaced' && decision?.decisionId === decisionId,
        );
        expect(replaced.length).toBeGreaterThanOrEqual(planned.rows.length);
        expect(await imbalances(ledger)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('of a forget: the submissions, the rows and the mentions; then nothing is left of them', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (drawn) => {
        const ledger = await ledgerWith(drawn);
        const context = actionContext(ledger);
        const input = { learner: JANE, type: 'Email', reports: false };
        const planned = await forget.plan(context, input);
        if (planned.near !== null) {
          expect(drawn.files.flat().map(({ user }) => user)).not.toContain(JANE);
          return;
        }
        const { matches, cleared, proof } = await forget.carryOut(context, planned, WHO, 'x');
        expect(matches).toEqual(planned.matches);
        const { accepted = 0, replaced = 0, ...unsent } = planned.matches.states;
        const counts = Object.values(unsent);
        expect(cleared.dismissed).toBe(counts.reduce((sum, count) => sum + count, 0));
        expect(cleared.records).toBe(accepted + replaced + cleared.dismissed);
        expect(proof.remaining).toEqual([]);
        expect((await forget.plan(context, input)).matches).toMatchObject({ rows: 0, mentions: 0 });
        expect(await imbalances(ledger)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('of a purge: rows, records, issues and answers; then nothing more is to be cleared', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (drawn) => {
        const ledger = await ledgerWith(drawn);
        const context = actionContext(ledger);
        const input = { before: isoFromMs(ledger.clock.nowMs()), archive: false };
        const planned = await purge.plan(context, input);
        const { cleared } = await purge.carryOut(context, planned, WHO, null);
        expect(cleared).toEqual(planned.cleared);
        expect((await purge.plan(context, input)).cleared).toEqual({
          rows: 0,
          records: 0,
          issues: 0,
          answers: 0,
          refusals: 0,
        });
        expect(await imbalances(ledger)).toEqual([]);
      }),
      RUNS,
    );
  });
});
