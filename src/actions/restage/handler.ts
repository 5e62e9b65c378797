import type { Restaged } from '../../documents/decisions.js';
import { restageDrop } from '../../staging/correct/rows-again.js';
import { type DecisionHandler, dropOfDecision, runSteps } from '../decision/handler.js';

export const restageHandler: DecisionHandler<Restaged> = {
  leases: () => ['stage'],
  async carryOut(context, { decisionId, selection }, runId, { lost }) {
    const { drop, source } = await dropOfDecision(context, decisionId, Number(selection.drop));
    return runSteps(restageDrop(context.ledger, drop, source, { decisionId, runId }), lost);
  },
};
