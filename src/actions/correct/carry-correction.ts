import { failpoint } from '../../domain/process/failpoint.js';
import { type NewCorrection, openCorrection } from '../../ledger/erasure/open-decision.js';
import type { KeptLeases } from '../../ledger/leases/leases.js';
import type { ActionContext } from '../context.js';
import { mapHandler } from '../decision/map-learner.js';
import { type Decided, runToCompletion } from '../decision/run-to-completion.js';
import { type CorrectedRows, correctHandler } from './handler.js';

/**
 * Records a correction as decisions and carries them out, under the stage lease that the caller holds.
 * @param kept the leases, where the caller took them for this alone. @returns the decision about the rows.
 */
export async function carryCorrection(
  context: ActionContext,
  correction: NewCorrection,
  runId: number | null,
  kept?: KeptLeases,
): Promise<Decided<CorrectedRows>> {
  const [first, ...mappings] = await openCorrection(context.ledger, correction);
  if (first === undefined) throw new Error('a correction is a decision');
  failpoint('decision-opened');
  const decided = await runToCompletion(context, correctHandler, first, runId, kept);
  for (const mapping of mappings) await runToCompletion(context, mapHandler, mapping, runId, kept);
  return decided;
}
