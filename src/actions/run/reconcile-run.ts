import type { UntakenFile } from '../../documents/common.js';
import { type Report, reconcile } from '../../report/report.js';
import { findUntaken } from '../../upkeep/find-untaken.js';
import type { RunUnderWay, TakenFiles } from './envelope.js';

/** The third step of a run: reads its books from the ledger, with the unmatched files in the inboxes that it has searched. */
export async function reconcileRun(underWay: RunUnderWay, taken: TakenFiles): Promise<Report> {
  const { context, request, runId, sources } = underWay;
  const { ledger, clock, config, paths } = context;
  const { environments } = config;
  const untaken = request.intake
    ? allUntaken(taken, await findUntaken({ paths, clock, sources, allSources: config.sources }))
    : null;
  return reconcile(ledger, { runId }, { environments, untaken });
}

/** All files that were not imported. A file that is in an inbox now is reported as it is there. */
function allUntaken({ untaken }: TakenFiles, lying: readonly UntakenFile[]): UntakenFile[] {
  const paths = new Set(lying.map(({ path }) => path));
  return [...lying, ...untaken.filter(({ path }) => !paths.has(path))];
}
