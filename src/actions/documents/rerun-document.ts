import type { RerunPlan, RerunRow } from '../rerun.js';
import { rowDocument, selectionDocument } from './selection-document.js';

/** A rerun that is planned, as `rerun --json` prints it; `rerunEntry` gives its rows. */
export function rerunDocument(planned: RerunPlan, dryRun: boolean) {
  const { requests, environments, overrides, replaced, damaged, behind, ahead, invalid } = planned;
  return {
    dryRun,
    requests,
    environments,
    overrides,
    replaced,
    damaged,
    behind,
    ahead: ahead.size,
    invalid,
    ...selectionDocument(planned),
  };
}

/** One row of `selected`. */
export function rerunEntry({ row, obstacle }: RerunRow) {
  return {
    ...rowDocument(row),
    replacedBy: obstacle?.kind === 'replaced' ? obstacle.by : null,
    behind: obstacle?.kind === 'behind' ? obstacle.id : null,
    damaged: obstacle?.kind === 'damaged',
  };
}
