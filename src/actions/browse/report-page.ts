import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { readPageFacts } from '../../report/page/facts.js';
import { htmlPage } from '../../report/page/html-page.js';
import type { ActionContext } from '../context.js';
import { report } from '../report.js';

/** Which report is shown, to whom, and where its reader goes on. */
export interface ReportPageAsked {
  /** Empty: everything in the ledger. */
  readonly selection: ReportSelection;
  readonly isMasked: boolean;
  /** The address of the console's page that leads here. */
  readonly backTo: string;
}

/** The page of a report as it would be written now: a whole document, with links to no file. */
export async function reportPage(
  context: ActionContext,
  { selection, isMasked, backTo }: ReportPageAsked,
): Promise<string> {
  const { report: found } = await report(context, { selection, inboxes: false, files: null });
  const beside = { attentionFile: null, guideFile: null, otherFiles: [] };
  const { ledger, config } = context;
  return htmlPage(
    await readPageFacts(ledger, found, { config, isMasked: isMasked && 'strict', backTo, ...beside }),
  );
}
