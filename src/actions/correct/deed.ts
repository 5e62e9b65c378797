import { closeOriginals } from '../../ledger/submissions/again/close-originals.js';
import type { StageResult } from '../../staging/conclude-drop.js';
import { carrySteps } from '../decision/carry-steps.js';
import type { Deed } from '../decision/deed.js';
import { takeCorrection } from './take-correction.js';

/**
 * How corrected rows replace their originals: for a drop from an inbox by closing the originals, once the drop is
 * published; for a file given by hand by taking it in.
 */
export const correctDeed: Deed<readonly StageResult[]> = {
  leases: () => ['stage'],
  async carryOut(context, decision, runId, kept) {
    const { decisionId, selection } = decision;
    if (selection.file !== undefined) return takeCorrection(context, decision, runId, kept);
    const { ledger } = context;
    await carrySteps(closeOriginals(ledger, Number(selection.drop), decisionId, runId), kept.lost);
    return [];
  },
};
