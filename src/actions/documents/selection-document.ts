import type { Dismissed, DismissPlan } from '../dismiss.js';
import type { RerunPlan, RerunRow } from '../rerun.js';

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
    ...chosenRows(planned),
  };
}

/** One row of `selected`. */
export function rerunEntry({ row, obstacle }: RerunRow) {
  return {
    ...row,
    replacedBy: obstacle?.kind === 'replaced' ? obstacle.by : null,
    behind: obstacle?.kind === 'behind' ? obstacle.id : null,
    damaged: obstacle?.kind === 'damaged',
  };
}

/** A dismissal that is planned, as `dismiss --json` prints it; its rows follow. */
export function dismissalDocument(planned: DismissPlan, dryRun: boolean) {
  return { dryRun, files: filesOf(planned), ...chosenRows(planned) };
}

/** What a dismissal has done, as `dismiss --json` prints it. */
export function dismissedDocument(done: Dismissed) {
  return { decision: done.decisionId, files: filesOf(done), moved: done.moved, resolved: done.resolved };
}

function filesOf({ files }: Pick<DismissPlan, 'files'>) {
  return files.map(({ drop, source, file }) => ({ drop, source, file }));
}

/** Which rows were chosen; the list of them follows. */
function chosenRows({ rows, leftOut }: Pick<DismissPlan, 'rows' | 'leftOut'>) {
  return { count: rows.total, causes: rows.groups, leftOut };
}
