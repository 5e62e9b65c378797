import type { Report } from '../../report/report.js';
import { REPORT_FORMATS, type ReportFormat } from '../../report/report-formats.js';
import { type WrittenReport, writeReport } from '../../report/write-report.js';
import type { ActionContext } from '../context.js';

/** Which files of a report are written, and where. */
export interface FilesRequest {
  readonly formats: readonly ReportFormat[];
  /** The folder below which the report gets its own folder; null: `reports/` of the workspace. */
  readonly out: string | null;
}

/** The files that a run and the schedule write. */
const AS_AFTER_RUN: FilesRequest = { formats: REPORT_FORMATS, out: null };

/** Writes a report's files for a run, the schedule or a person. @returns where they are. */
export function reportFiles(
  { ledger, config, paths }: ActionContext,
  report: Report,
  { formats, out }: FilesRequest = AS_AFTER_RUN,
): Promise<WrittenReport> {
  return writeReport(ledger, report, out ?? paths.reports, formats, config);
}
