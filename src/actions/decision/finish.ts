import { OperatorError } from '../../domain/operator-error.js';
import { openDecisionNumbered, openDecisions } from '../../ledger/decision-log.js';
import { underLeases } from '../../ledger/leases.js';
import { thisProcess } from '../../ledger/owner.js';
import type { ActionContext } from '../context.js';
import { carryToItsEnd } from './carry-to-its-end.js';
import { DEEDS } from './deeds.js';

/** A decision that could not be carried out to its end yet. */
export interface Unfinished {
  readonly decisionId: number;
  /** Why a person must do something first; null: a process that lives is at it, or in the way. */
  readonly error: OperatorError | null;
}

/**
 * Carries out what was decided by processes that died before they had done it. To be asked for before anything else is
 * decided or delivered.
 * @returns what is left for the next one, with why.
 */
export async function finishDecisions(
  context: ActionContext,
  runId: number | null,
): Promise<readonly Unfinished[]> {
  const { ledger } = context;
  const unfinished: Unfinished[] = [];
  for (const { decisionId, kind } of openDecisions(ledger)) {
    const load = DEEDS[kind];
    if (load === undefined) continue;
    const deed = await load();
    try {
      const leases = deed.leases(context);
      const taken = await underLeases(ledger, leases, thisProcess(), runId, async (lost) => {
        // Whoever held the leases until now may have done it.
        const decision = openDecisionNumbered(ledger, decisionId);
        if (decision !== null) await carryToItsEnd(context, deed, decision, runId, lost);
      });
      if (!('done' in taken)) unfinished.push({ decisionId, error: null });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      unfinished.push({ decisionId, error });
    }
  }
  return unfinished;
}
