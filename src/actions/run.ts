import type { UnmatchedFile } from '../documents/common.js';
import type { Decider } from '../domain/decider.js';
import { failpoint } from '../domain/process/failpoint.js';
import { type Report, reconcile } from '../report/report.js';
import { REPORT_FORMATS } from '../report/report-formats.js';
import type { WrittenReport } from '../report/write-report.js';
import { findUnmatched } from '../upkeep/find-unmatched.js';
import { sendDueNotifications } from './alerts.js';
import type { ActionContext } from './context.js';
import { deliverResults } from './results/deliver-results.js';
import { deliver } from './run/deliver.js';
import { importAll } from './run/import-all.js';
import type { RunListener, RunRequest } from './run/request.js';
import { type IntakeResult, type RunContext, type RunResult, withRunLifecycle } from './run/run-lifecycle.js';

/**
 * drop → row → record → submission → attempt → response → report: the whole program. Each step reads from the ledger what the
 * step before has written there, so a crash between any two loses nothing. `plan` (run/plan.ts) says what a run would do.
 * Once the run has ended, results go to the senders of files, and notifications are sent; a target that doesn't take them changes
 * nothing about the run.
 */
export async function carryOut(
  context: ActionContext,
  request: RunRequest,
  who: Decider,
  listener: RunListener,
): Promise<RunResult> {
  const result = await withRunLifecycle({ context, request, who, listener }, async (run) => {
    const intake = await importAll(run);
    const pushes = await deliver(run);
    const report = await reconcileRun(run, intake);
    const written = await keepReport(run, report);
    return { intake, pushes, report, written };
  });
  const undelivered = request.leavesResults
    ? []
    : await deliverResults(context, listener.interrupt, { backsOff: false });
  const unsent = await sendDueNotifications(context, listener.interrupt);
  return { ...result, troubles: [...result.troubles, ...undelivered, ...unsent] };
}

/** The third step of a run: reads its books from the ledger, with the unmatched files in the inboxes that it has searched. */
async function reconcileRun(run: RunContext, intake: IntakeResult): Promise<Report> {
  const { context, request, runId, sources } = run;
  const { ledger, config } = context;
  const { environments } = config;
  const unmatched = request.intake ? allUnmatched(intake, await findUnmatched(context, sources)) : null;
  return reconcile(ledger, { runId }, { environments, unmatched });
}

/** All files that were not imported. A file that is in an inbox now is reported as it is there. */
function allUnmatched({ unmatched }: IntakeResult, inInboxes: readonly UnmatchedFile[]): UnmatchedFile[] {
  const paths = new Set(inInboxes.map(({ path }) => path));
  return [...inInboxes, ...unmatched.filter(({ path }) => !paths.has(path))];
}

/** The last step of a run: writes the report's files; null where there is nothing to report. */
async function keepReport({ context }: RunContext, report: Report): Promise<WrittenReport | null> {
  let written: WrittenReport | null = null;
  if (isWorthKeeping(report)) {
    // A run that found nothing to do needn't load the code for that.
    const { writeReport } = await import('../report/write-report.js');
    const { ledger, config, paths } = context;
    written = await writeReport(ledger, report, paths.reports, REPORT_FORMATS, config);
  }
  failpoint('report-written');
  return written;
}

/** False for a run that found nothing to do, or could do nothing: status and health show an outage. */
function isWorthKeeping(report: Report): boolean {
  return report.files.length + report.corrections.length > 0 || report.attempts.total > 0 || !report.balanced;
}
