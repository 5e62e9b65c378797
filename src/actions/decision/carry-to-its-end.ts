import { failpoint } from '../../domain/failpoint.js';
import {
  closeDecision,
  type DecisionResult,
  type OpenDecision,
  resultOf,
} from '../../ledger/decision-log.js';
import type { ActionContext } from '../context.js';
import type { Deed } from './deed.js';

/** What a decision came to. */
export interface Decided<Done> {
  readonly decisionId: number;
  /** What carrying it out gave. */
  readonly done: Done;
  /** In numbers, as they are kept with it. */
  readonly result: DecisionResult;
}

/**
 * Carries a decision out to its end, under leases that the caller holds.
 * @param lost aborted once it doesn't hold them any more; left out: the caller sees to it.
 */
export async function carryToItsEnd<Done>(
  context: ActionContext,
  deed: Deed<Done>,
  decision: OpenDecision,
  runId: number | null,
  lost: AbortSignal = new AbortController().signal,
): Promise<Decided<Done>> {
  const { ledger } = context;
  const { decisionId } = decision;
  const done = await deed.carryOut(context, decision, runId, lost);
  failpoint('decision-carried-out');
  const result = resultOf(ledger, decisionId);
  closeDecision(ledger, decisionId, result);
  return { decisionId, done, result };
}
