import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import { type PageFacts, readPageFacts } from '../../report/page/facts.js';
import { htmlPage } from '../../report/page/html-page.js';
import { masked } from '../../report/words/masked.js';
import type { ActionContext } from '../context.js';
import { report } from '../report.js';

/** Which report is shown, and where its reader goes on. */
export interface ReportPageRequest {
  /** Empty: everything in the ledger. */
  readonly selection: ReportSelection;
  /** The address of the console's page that leads here. */
  readonly backTo: string;
}

/** The page of a report as it would be written now: a whole document, with links to no file. Personal. */
export async function reportPage(context: ActionContext, request: ReportPageRequest): Promise<string> {
  return htmlPage(await factsOf(context, request, false));
}

/** The same for a reader who may see no personal data. */
export async function maskedReportPage(context: ActionContext, request: ReportPageRequest): Promise<string> {
  // Settings are shown by name, and none that may name people.
  return htmlPage({ ...masked(await factsOf(context, request, true)), config: context.config });
}

/** What a page of the console shows of a report: no row, and no setting. Personal. */
export async function reportFacts(
  context: ActionContext,
  { selection }: Pick<ReportPageRequest, 'selection'>,
): Promise<PageFacts> {
  return { ...(await factsOf(context, { selection, backTo: '' }, false, 0)), config: null };
}

async function factsOf(
  context: ActionContext,
  { selection, backTo }: ReportPageRequest,
  isMasked: boolean,
  rowsEach?: number,
): Promise<PageFacts> {
  const { ledger, config } = context;
  const { report: built } = await report(context, { selection, inboxes: false, files: null });
  const beside = { attentionFile: null, guideFile: null, otherFiles: [] };
  return readPageFacts(ledger, built, { config, isMasked, backTo, ...beside }, rowsEach);
}
