import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { type PageFacts, readPageFacts } from '../../report/page/facts.js';
import type { ActionContext } from '../context.js';
import { report } from '../report.js';

/** What a page of the console shows of a report: no row, and no setting. @param selection empty: everything in the ledger. Personal. */
export async function reportFacts(
  context: ActionContext,
  { selection }: { readonly selection: ReportSelection },
): Promise<PageFacts> {
  const { report: built } = await report(context, { selection, inboxes: false, files: null });
  const beside = { attentionFile: null, guideFile: null, otherFiles: [] };
  return readPageFacts(context.ledger, built, { config: null, ...beside });
}
