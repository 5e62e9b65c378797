import type { OperatorError } from '../../domain/operator-error.js';
import type { RecordedDecision } from '../../ledger/decisions/decision-log.js';
import type { KeptLeases, LeaseName } from '../../ledger/leases/leases.js';
import type { ActionContext } from '../context.js';

/**
 * How decisions of one kind are carried out: by the process that made one, or by any that comes next where that one died.
 * What was decided stands in the ledger whole before anything of it is carried out. A deed knows nothing of `decide`, which
 * carries out those of earlier decisions first.
 */
export interface Deed<Done = unknown> {
  /** What nobody else may hold meanwhile; [] where two may carry out the same decision at once. */
  leases(context: ActionContext): readonly LeaseName[];
  /**
   * Carries out what is left of the decision, in short transactions. May be killed between any two and called again: what
   * is left is read off the ledger. Throws OperatorError where it can't go on until a person has done something.
   * @param runId the run that it is part of; null: none.
   * @param kept the leases it asked for; once another process has one, that one goes on with the decision.
   */
  carryOut(
    context: ActionContext,
    decision: RecordedDecision,
    runId: number | null,
    kept: KeptLeases,
  ): Promise<Done>;
  /** What a person must know where another process has ended it; null: nothing. Left out: never anything. */
  trouble?(context: ActionContext, decision: RecordedDecision, done: Done): OperatorError | null;
}
