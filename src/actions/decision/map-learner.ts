import type { StandingRows } from '../../documents/decisions.js';
import { type MovedRows, mapLearner } from '../../ledger/decisions/mapping.js';
import { type DecisionHandler, runSteps } from './handler.js';

export interface MappedRows extends MovedRows {
  /** How many new submissions are in which state. */
  readonly standing: readonly StandingRows[];
}

/** How the rows of a mapped learner are replaced. A process that is staging has read the corrections before: no other may stage. */
export const mapHandler: DecisionHandler<MappedRows> = {
  leases: () => ['stage'],
  async carryOut({ ledger }, decision, _runId, { lost }) {
    const moved = { made: 0, linked: 0, left: 0 };
    const standing = await runSteps(mapLearner(ledger, decision), lost, ({ made, linked, left }) => {
      moved.made += made;
      moved.linked += linked;
      moved.left += left;
    });
    return { ...moved, standing };
  },
};
