import { noOutcomes, ROW_OUTCOMES } from '../../domain/delivery/correction.js';
import { OperatorError } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { openCorrectedRows } from '../../ledger/decisions/corrected-rows.js';
import { withdrawDrop } from '../../ledger/drops/discard-rows.js';
import { type PublishedDrop, publishedDrops } from '../../ledger/drops/published-drops.js';
import { type NewCorrection, openCorrection } from '../../ledger/erasure/open-decision.js';
import type { HeldLeases } from '../../ledger/leases/leases.js';
import type { OutcomeCounts } from '../../ledger/submissions/reread.js';
import { correctRows } from '../../staging/correct/correct-rows.js';
import type { ActionContext } from '../context.js';
import type { DecisionHandler } from '../decision/handler.js';
import { mapHandler } from '../decision/map-learner.js';
import { runSteps } from '../decision/run-steps.js';
import { type Decided, runToCompletion } from '../decision/run-to-completion.js';

/** How many rows of a correction came to what. */
export type CorrectedRows = OutcomeCounts;

/** How rows get the cells that a decision gives them, drop by drop. */
export const correctHandler: DecisionHandler<CorrectedRows> = {
  leases: () => ['stage'],
  async carryOut(context, { decisionId }, runId, held) {
    const { ledger, config } = context;
    const lease = held.leases.find(({ name }) => name === 'stage');
    // A corrected row may repeat one of a half staged drop, which may never count: its next run begins that drop again.
    // A run that stages has resumed such a drop before anything else, and passes no lease.
    if (lease !== undefined) await withdrawDrop(ledger, lease, null, null);
    const counts = noOutcomes();
    const carry = (pages: AsyncGenerator<void, void, undefined>) => runSteps(pages, held.lost);
    for (const [dropId, rows] of await openCorrectedRows(ledger, decisionId)) {
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

/**
 * Records a correction as decisions and carries them out, under the stage lease that the caller holds.
 * @param held the leases, where the caller took them for this alone. @returns the decision about the rows.
 */
export async function carryCorrection(
  context: ActionContext,
  correction: NewCorrection,
  runId: number | null,
  held?: HeldLeases,
): Promise<Decided<CorrectedRows>> {
  const [first, ...mappings] = await openCorrection(context.ledger, correction);
  if (first === undefined) throw new Error('a correction is a decision');
  failpoint('decision-opened');
  const decided = await runToCompletion(context, correctHandler, first, runId, held);
  for (const mapping of mappings) await runToCompletion(context, mapHandler, mapping, runId, held);
  return decided;
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
