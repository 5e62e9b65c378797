import { closeOriginals } from '../../ledger/redrops.js';
import type { StageResult } from '../../staging/stage-drop.js';
import { carryPages } from '../decision/carry-pages.js';
import type { Deed } from '../decision/deed.js';
import { takeCorrection } from './take-correction.js';

/**
 * How corrected rows take the place of those that they stand for: of a drop that came in by an inbox, once it is published;
 * of a file that was given by hand, by taking it in.
 */
export const correctDeed: Deed<readonly StageResult[]> = {
  leases: () => ['stage'],
  async carryOut(context, decision, runId, lost) {
    const { decisionId, selection } = decision;
    if (selection.file !== undefined) return takeCorrection(context, decision, runId, lost);
    const { ledger } = context;
    await carryPages(ledger, closeOriginals(ledger, Number(selection.drop), decisionId, runId), lost);
    return [];
  },
};
