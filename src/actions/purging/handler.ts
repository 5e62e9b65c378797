import { summed } from '../../domain/grouped.js';
import { type Cleared, NOTHING_CLEARED, purgeContent } from '../../ledger/erasure/purge-content.js';
import { type DecisionHandler, runSteps } from '../decision/handler.js';
import { archivedOf, deleteFiles } from './archived-files.js';

export interface PurgedContent {
  readonly cleared: Cleared;
  /** How many reasons of refused files were cleared. */
  readonly refusals: number;
  /** False where a process was delivering: what was cleared is overwritten, but the file keeps its length until the next purge. */
  readonly compacted: boolean;
}

/** How old content is cleared. Rows that are closed meanwhile are left to the next purge. */
export const purgeHandler: DecisionHandler<PurgedContent> = {
  leases: () => ['stage'],
  async carryOut({ ledger, paths }, decision, _runId, { lost }) {
    let cleared = NOTHING_CLEARED;
    let refusals = 0;
    const compacted = await runSteps(purgeContent(ledger, decision), lost, async (step) => {
      if ('cleared' in step) {
        cleared = summed(cleared, step.cleared.cleared);
        refusals += step.cleared.refusals;
      } else if (decision.selection.archive === true) {
        await deleteFiles(await archivedOf(step, { ledger, paths }));
      }
    });
    return { cleared, refusals, compacted };
  },
};
