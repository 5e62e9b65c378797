import type { OperatorError } from '../../domain/operator-error.js';
import type { RecordedDecision } from '../../ledger/decisions/decision-log.js';
import type { HeldLeases, LeaseName } from '../../ledger/leases/leases.js';
import type { ActionContext } from '../context.js';

/**
 * How decisions of one kind are carried out: by the process that made the decision or, where that one died, by the next
 * process. The ledger holds the whole decision before any part of it is carried out. A handler doesn't use `decide`, which
 * carries out earlier decisions first.
 */
export interface DecisionHandler<Done = unknown> {
  /** The leases under which the decision is carried out; [] where two processes may carry out the same decision at once. */
  leases(context: ActionContext): readonly LeaseName[];
  /**
   * Carries out what is left of the decision, in short transactions. It may be killed between any two of them and called
   * again, because it reads from the ledger what is left. Throws OperatorError where an operator must act first.
   * @param runId the run of which this is a part; null where there is none.
   * @param held the requested leases; a process that takes one over resumes the decision.
   */
  carryOut(
    context: ActionContext,
    decision: RecordedDecision,
    runId: number | null,
    held: HeldLeases,
  ): Promise<Done>;
  /**
   * What a person must know where another process has carried out the decision; null where there is nothing. Absent: there
   * never is.
   */
  trouble?(context: ActionContext, decision: RecordedDecision, done: Done): OperatorError | null;
}
