import type { ReportSelection } from '../ledger/books/books.js';
import { type Report, reconcile } from '../report/report.js';
import type { WrittenReport } from '../report/write-report.js';
import { requireInPlace } from '../upkeep/expected-ledger.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import type { ActionContext } from './context.js';
import { sourceNamed } from './context.js';
import { type FilesRequest, reportFiles } from './run/report-files.js';

/** What a report is about, and what is written of it. */
export interface ReportRequest {
  /** Empty: all there is. */
  readonly selection: ReportSelection;
  /** True: what lies in the inboxes now, and no source takes, is told as well. */
  readonly inboxes: boolean;
  /** null: nothing is written; left out: what a run leaves behind. */
  readonly files?: FilesRequest | null;
}

/** A report, and where its files are; null: none were written. */
export interface Reported {
  readonly report: Report;
  readonly kept: WrittenReport | null;
}

/** The books of a run, a source, a file, a span of time, or of all there is. Writes nothing to the ledger. */
export async function report(
  context: ActionContext,
  { selection, inboxes, files }: ReportRequest,
): Promise<Reported> {
  const { ledger, clock, config, paths } = context;
  // A daemon has had it open for long.
  requireInPlace(ledger);
  if (selection.source !== undefined) sourceNamed(config, selection.source);
  const allSources = config.sources;
  const sources = allSources.filter(
    ({ name }) => selection.source === undefined || name === selection.source,
  );
  const untaken = inboxes ? await findUntaken({ paths, clock, sources, allSources }) : null;
  const found = await reconcile(ledger, selection, { environments: config.environments, untaken });
  return { report: found, kept: files === null ? null : await reportFiles(context, found, files) };
}
