import { type Clock, isoFromMs } from '../../domain/clock.js';
import { failpoint } from '../../domain/process/failpoint.js';
import type { Report } from '../../report/report.js';
import type { WrittenReport } from '../../report/write-report.js';
import type { ActionContext } from '../context.js';
import type { RunUnderWay } from './envelope.js';

/** The last step of a run: its report's files; null where there is nothing to report. */
export async function keepReport({ context }: RunUnderWay, report: Report): Promise<WrittenReport | null> {
  const isKept = isWorthKeeping(report) || isOutageToTell(context.clock, report);
  const kept = isKept ? await filesOf(context, report) : null;
  failpoint('report-written');
  return kept;
}

/** A run that found nothing to do needn't load what writes files. */
async function filesOf(context: ActionContext, report: Report): Promise<WrittenReport> {
  const { reportFiles } = await import('./report-files.js');
  return reportFiles(context, report);
}

/** A run from cron that found nothing to do leaves no report behind. */
function isWorthKeeping(report: Report): boolean {
  return report.files.length > 0 || report.attempts.total > 0 || !report.balanced;
}

/**
 * An environment that can't be used is told of by a report of its own when that is new or has another cause, and then
 * once a day: the latest folder says it whenever somebody looks, and a night of runs from cron doesn't leave a hundred.
 */
function isOutageToTell(clock: Clock, { keptOutages }: Report): boolean {
  const fresh = isoFromMs(clock.nowMs() - OUTAGE_TOLD_MS);
  return keptOutages.some(
    ({ endedAt, reportedAt }) => endedAt === null && (reportedAt === null || reportedAt <= fresh),
  );
}

/** Less than a day, so that a run once a day tells it every time. */
const OUTAGE_TOLD_MS = 72_000_000;
