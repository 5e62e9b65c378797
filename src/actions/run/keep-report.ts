import { type Clock, isoFromMs } from '../../domain/clock.js';
import { failpoint } from '../../domain/process/failpoint.js';
import type { Report } from '../../report/report.js';
import type { WrittenReport } from '../../report/write-report.js';
import type { ActionContext } from '../context.js';
import type { RunUnderWay } from './envelope.js';

/** The last step of a run: writes the report's files; null where there is nothing to report. */
export async function keepReport({ context }: RunUnderWay, report: Report): Promise<WrittenReport | null> {
  const isKept = isWorthKeeping(report) || isOutageToReport(context.clock, report);
  const kept = isKept ? await filesOf(context, report) : null;
  failpoint('report-written');
  return kept;
}

/** Writes the files. A run that found nothing to do needn't load the code for that. */
async function filesOf(context: ActionContext, report: Report): Promise<WrittenReport> {
  const { reportFiles } = await import('./report-files.js');
  return reportFiles(context, report);
}

/** False for a run that found nothing to do, which leaves no report behind. */
function isWorthKeeping(report: Report): boolean {
  return report.files.length + report.corrections.length > 0 || report.attempts.total > 0 || !report.balanced;
}

/**
 * True where an outage needs a report of its own: when it is new or has another cause, and then once a day. So the latest
 * folder always shows the outage, and a night of runs from cron doesn't leave a hundred folders.
 */
function isOutageToReport(clock: Clock, { keptOutages }: Report): boolean {
  const fresh = isoFromMs(clock.nowMs() - OUTAGE_REPORTED_MS);
  return keptOutages.some(
    ({ endedAt, reportedAt }) => endedAt === null && (reportedAt === null || reportedAt <= fresh),
  );
}

/** Less than a day, so that a daily run reports the outage every time. */
const OUTAGE_REPORTED_MS = 72_000_000;
