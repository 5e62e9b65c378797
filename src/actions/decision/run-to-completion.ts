import { failpoint } from '../../domain/process/failpoint.js';
import {
  closeDecision,
  type DecisionResult,
  type RecordedDecision,
} from '../../ledger/decisions/decision-log.js';
import type { HeldLeases } from '../../ledger/leases/leases.js';
import type { ActionContext } from '../context.js';
import type { DecisionHandler } from './handler.js';

export interface Decided<Done> {
  readonly decisionId: number;
  /** What carrying the decision out returned. */
  readonly done: Done;
  /** The result in numbers, as they are kept with the decision. */
  readonly result: DecisionResult;
}

/**
 * Carries a decision out to its end, under leases that the caller holds.
 * @param held the leases; absent: the caller makes sure that it holds them.
 */
export async function runToCompletion<Done>(
  context: ActionContext,
  handler: DecisionHandler<Done>,
  decision: RecordedDecision,
  runId: number | null,
  held: HeldLeases = HELD_BY_CALLER,
): Promise<Decided<Done>> {
  const { ledger } = context;
  const { decisionId } = decision;
  const done = await handler.carryOut(context, decision, runId, held);
  failpoint('decision-carried-out');
  const result = await closeDecision(ledger, decisionId);
  return { decisionId, done, result };
}

const HELD_BY_CALLER: HeldLeases = {
  leases: [],
  lost: new AbortController().signal,
  areHeld: async () => true,
};
