import type { ReportSelection } from '../ledger/drops/report-selection.js';
import { type Report, reconcile } from '../report/report.js';
import { REPORT_FORMATS, type ReportFormat } from '../report/report-formats.js';
import { type WrittenReport, writeReport } from '../report/write-report.js';
import { requireInPlace } from '../upkeep/expected-ledger.js';
import { findUnmatched } from '../upkeep/find-unmatched.js';
import { type ActionContext, sourceNamed } from './context.js';

/** Which files of a report are written; `out`: the folder below which it gets its own; null: `reports/` of the workspace. */
export interface FilesRequest {
  readonly formats: readonly ReportFormat[];
  /** The folder below which the report gets its own folder; null: `reports/` of the workspace. */
  readonly out: string | null;
}

/** The files that a run and the schedule write. */
const DEFAULT_FILES: FilesRequest = { formats: REPORT_FORMATS, out: null };

export interface ReportRequest {
  /** Empty: everything in the ledger. */
  readonly selection: ReportSelection;
  /** True: files in the inboxes that no source matches are reported too. */
  readonly inboxes: boolean;
  /** null: no file is written; absent: the files that a run writes. */
  readonly files?: FilesRequest | null;
}

/**
 * Reads the books of a run, a source, a file, a span of time, or of everything. Writes nothing to the ledger.
 * @returns `written`: where the report's files are; null where none were written.
 */
export async function report(
  context: ActionContext,
  { selection, inboxes, files = DEFAULT_FILES }: ReportRequest,
): Promise<{ readonly report: Report; readonly written: WrittenReport | null }> {
  const { ledger, config, paths } = context;
  // A daemon may have had the ledger open for long.
  requireInPlace(ledger);
  if (selection.source !== undefined) sourceNamed(config, selection.source);
  const sources = config.sources.filter(
    ({ name }) => selection.source === undefined || name === selection.source,
  );
  const unmatched = inboxes ? await findUnmatched(context, sources) : null;
  const report = await reconcile(ledger, selection, { environments: config.environments, unmatched });
  if (files === null) return { report, written: null };
  const written = await writeReport(ledger, report, files.out ?? paths.reports, files.formats, config);
  return { report, written };
}
