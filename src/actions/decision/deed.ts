import type { OperatorError } from '../../domain/operator-error.js';
import type { OpenDecision } from '../../ledger/decision-log.js';
import type { LeaseName } from '../../ledger/leases.js';
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
   * @param lost aborted once another process has one of the leases: that one goes on with the decision.
   */
  carryOut(
    context: ActionContext,
    decision: OpenDecision,
    runId: number | null,
    lost: AbortSignal,
  ): Promise<Done>;
  /** What a person must know where another process has ended it; null: nothing. Left out: never anything. */
  trouble?(context: ActionContext, decision: OpenDecision, done: Done): OperatorError | null;
}
