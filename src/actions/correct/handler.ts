import { noOutcomes, ROW_OUTCOMES } from '../../domain/delivery/correction.js';
import { OperatorError } from '../../domain/operator-error.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { rowsLeft } from '../../ledger/decisions/corrected-rows.js';
import { withdrawDrop } from '../../ledger/drops/discard-rows.js';
import { type PublishedDrop, publishedDrops } from '../../ledger/drops/published-drops.js';
import type { KeptLeases } from '../../ledger/leases/leases.js';
import type { OutcomeCounts } from '../../ledger/submissions/again.js';
import { correctRows } from '../../staging/correct/correct-rows.js';
import type { ActionContext } from '../context.js';
import type { DecisionHandler } from '../decision/handler.js';
import { runSteps } from '../decision/run-steps.js';

/** How many rows of a correction came to what. */
export type CorrectedRows = OutcomeCounts;

/** How rows get the cells that a decision gives them, drop by drop. */
export const correctHandler: DecisionHandler<CorrectedRows> = {
  leases: () => ['stage'],
  async carryOut(context, { decisionId }, runId, kept) {
    const { ledger, config } = context;
    await withdrawHalfStaged(context, kept);
    const counts = noOutcomes();
    const carry = (pages: AsyncGenerator<void, void, undefined>) => runSteps(pages, kept.lost);
    for (const [dropId, rows] of await rowsLeft(ledger, decisionId)) {
      const [drop] = await publishedDrops(ledger, dropId);
      if (drop === undefined) throw new Error(`decision ${decisionId} corrects rows of no published drop`);
      const source = config.sources.find(({ name }) => name === drop.source);
      if (source === undefined) throw sourceGone(decisionId, drop);
      const done = await correctRows(ledger, drop, source, rows, { decisionId, runId, carry });
      for (const name of ROW_OUTCOMES) counts[name] += done[name];
    }
    return counts;
  },
};

/** A corrected row may repeat one of a half staged drop, which may never count: its next run begins that drop again. */
async function withdrawHalfStaged({ ledger }: ActionContext, { leases }: KeptLeases): Promise<void> {
  const lease = leases.find(({ name }) => name === 'stage');
  // A run that stages has resumed such a drop before anything else.
  if (lease === undefined) return;
  const { staging } = (await readState(ledger, ['work'])).work;
  for (const { dropId } of staging) await withdrawDrop(ledger, lease, dropId, null);
}

function sourceGone(
  decisionId: number,
  { file, source }: Pick<PublishedDrop, 'file' | 'source'>,
): OperatorError {
  return new OperatorError({
    operation: 'correct rows',
    subject: file,
    message: `decision ${decisionId} corrects rows of ${file} of source ${source} and was interrupted, and registrar.yaml no longer has this source`,
    hint: 'Restore the source in registrar.yaml: the next registrar run or decision carries it out.',
    exit: 'attention',
  });
}
