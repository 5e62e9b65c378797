import type { Decider } from '../../domain/decider.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { openDecision } from '../../ledger/erasure/open-decision.js';
import type { ActionContext } from '../context.js';
import { carryToItsEnd } from '../decision/carry-to-its-end.js';
import { correctDeed } from './deed.js';

/**
 * Records and carries out the decision that a person makes by putting a corrected attention file into an inbox: once for
 * the drop. For a caller that stages, and so holds the lease.
 */
export async function closeCorrected(
  context: ActionContext,
  { dropId, runId }: { readonly dropId: number; readonly runId: number },
  who: Decider,
  because: string,
): Promise<void> {
  const decision = await openDecision(context.ledger, { kind: 'corrected-drop', dropId, who, because });
  failpoint('decision-opened');
  if (decision.finishedAt === null) await carryToItsEnd(context, correctDeed, decision, runId);
}
