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

/** Carries a decision out to its end, under leases that the caller holds. */
export async function carryToItsEnd<Done>(
  context: ActionContext,
  deed: Deed<Done>,
  decision: OpenDecision,
  runId: number | null,
): Promise<Decided<Done>> {
  const { ledger } = context;
  const { decisionId } = decision;
  const done = await deed.carryOut(context, decision, runId);
  failpoint('decision-carried-out');
  const result = resultOf(ledger, decisionId);
  closeDecision(ledger, decisionId, result);
  return { decisionId, done, result };
}
