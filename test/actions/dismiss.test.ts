import { expect, it } from 'vitest';
import { dismiss } from '../../src/actions/dismiss.js';
import { DISMISSABLE } from '../../src/actions/rows/selectable.js';
import { readSelection } from '../../src/domain/selection.js';
import { stageContent } from '../staging/staging-bench.js';
import { actionContext } from '../support/action-context.js';
import { decide } from '../support/decide.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow } from '../support/exports.js';
import { manualClock } from '../support/manual-clock.js';
import { deliverNext, mustLease, REJECTED, states, testLedger } from '../support/staged-ledger.js';

/** All rows that need attention. */
function everything() {
  const read = readSelection({ all: true }, DISMISSABLE);
  if ('mistakes' in read) throw new Error('not read');
  return { selection: read.selection };
}

it('leaves alone what was imported, moved or restored after its plan was made', async () => {
  const clock = manualClock();
  const ledger = testLedger(clock);
  const context = actionContext(ledger);
  await stageContent(ledger, csvOf([1, 2, 3].map((n) => exportRow(n))));
  const runId = 1;
  const lease = await mustLease(ledger, 'push:main');
  for (let n = 0; n < 2; n += 1) await deliverNext(ledger, lease, runId, REJECTED, 400);
  await stageContent(ledger, csvOf([exportRow(4, { at: 'soon' })]));
  const planned = await dismiss.plan(context, everything());
  expect(planned.rows.total).toBe(3);

  clock.pass(1_000);
  await stageContent(ledger, csvOf([exportRow(5, { at: 'later' })]));
  // The third is refused, and the first is rerun and refused once more: neither is what the operator has seen.
  await deliverNext(ledger, lease, runId, REJECTED, 400);
  const { submissionId = null, state = 'invalid' } = planned.first[0] ?? {};
  if (submissionId === null) throw new Error('no submission');
  const facts = { kind: 'rerun' as const, who: decider('bea'), because: null, selection: {} };
  await decide(ledger, facts, [{ submissionId, state }], null);
  await deliverNext(ledger, lease, runId, REJECTED, 400);

  expect(await dismiss.carryOut(context, planned, decider('ada'), 'left')).toMatchObject({
    moved: 1,
    resolved: 1,
  });
  expect((await states(ledger)).sort()).toEqual(['dismissed', 'rejected', 'rejected']);
  expect((await dismiss.plan(context, everything())).rows.total).toBe(3);
});

it('is refused without a reason, whichever door it comes through', async () => {
  const context = actionContext(testLedger());
  const planned = await dismiss.plan(context, everything());
  await expect(dismiss.carryOut(context, planned, decider('ada'), ' ')).rejects.toThrow(/needs a reason/);
});
