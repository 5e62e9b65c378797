import { summed } from '../../domain/grouped.js';
import { type Cleared, NOTHING_CLEARED, purgeContent } from '../../ledger/erasure/purge-content.js';
import { type DecisionHandler, runSteps } from '../decision/handler.js';
import { archivedOf, deleteFiles } from './archived-files.js';

export interface PurgedContent {
  readonly cleared: Cleared;
  /** False where a process was delivering: what was cleared is overwritten, but the file keeps its length until the next purge. */
  readonly compacted: boolean;
}

/** How old content is cleared. Rows that are closed meanwhile are left to the next purge. */
export const purgeHandler: DecisionHandler<PurgedContent> = {
  leases: () => ['stage'],
  async carryOut({ ledger, paths }, decision, _runId, { lost }) {
    let cleared: Cleared = NOTHING_CLEARED;
    const steps = purgeContent(ledger, decision, async (old) => {
      if (decision.selection.archive === true) await deleteFiles(await archivedOf(old, { ledger, paths }));
    });
    const compacted = await runSteps(steps, lost, (step) => {
      cleared = summed(cleared, step);
    });
    return { cleared, compacted };
  },
};
