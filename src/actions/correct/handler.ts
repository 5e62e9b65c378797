import { noOutcomes } from '../../domain/delivery/correction.js';
import { summed } from '../../domain/grouped.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { openCorrectedRows } from '../../ledger/decisions/corrected-rows.js';
import { withdrawDrop } from '../../ledger/drops/discard-rows.js';
import { type NewCorrection, openCorrection } from '../../ledger/erasure/open-decision.js';
import type { HeldLeases } from '../../ledger/leases/leases.js';
import type { OutcomeCounts } from '../../ledger/submissions/reread.js';
import { correctRows } from '../../staging/correct/rows-again.js';
import type { ActionContext } from '../context.js';
import {
  type Decided,
  type DecisionHandler,
  dropOfDecision,
  runSteps,
  runToCompletion,
} from '../decision/handler.js';
import { mapHandler } from '../decision/map-learner.js';

export const correctHandler: DecisionHandler<OutcomeCounts> = {
  leases: () => ['stage'],
  async carryOut(context, { decisionId }, runId, held) {
    const { ledger } = context;
    const lease = held.leases.find(({ name }) => name === 'stage');
    // A corrected row may repeat one of a half staged drop, which may never count: its next run begins that drop again.
    // A run that stages has resumed such a drop before anything else, and passes no lease.
    if (lease !== undefined) await withdrawDrop(ledger, lease, null, null);
    let counts: OutcomeCounts = noOutcomes();
    for (const [dropId, rows] of await openCorrectedRows(ledger, decisionId)) {
      const { drop, source } = await dropOfDecision(context, decisionId, dropId);
      const steps = correctRows(ledger, drop, source, rows, { decisionId, runId });
      counts = summed(counts, await runSteps(steps, held.lost));
    }
    return counts;
  },
};

/**
 * Records a correction as decisions and carries them out, under the stage lease that the caller holds.
 * @param held the leases, where the caller took them for this alone. @returns the decision about the rows.
 */
export async function applyCorrection(
  context: ActionContext,
  correction: NewCorrection,
  runId: number | null,
  held?: HeldLeases,
): Promise<Decided<OutcomeCounts>> {
  const [first, ...mappings] = await openCorrection(context.ledger, correction);
  if (first === undefined) throw new Error('a correction is a decision');
  failpoint('decision-opened');
  const decided = await runToCompletion(context, correctHandler, first, runId, held);
  for (const mapping of mappings) await runToCompletion(context, mapHandler, mapping, runId, held);
  return decided;
}
