import type { Decider } from '../domain/decider.js';
import { sendDueNotifications } from './alerts.js';
import type { ActionContext } from './context.js';
import { deliverResults } from './results/deliver-results.js';
import { deliver } from './run/deliver.js';
import { inEnvelope, type RunResult } from './run/envelope.js';
import { keepReport } from './run/keep-report.js';
import { reconcileRun } from './run/reconcile-run.js';
import type { RunRequest, RunWatch } from './run/request.js';
import { takeFiles } from './run/take-files.js';

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
  watch: RunWatch,
): Promise<RunResult> {
  const result = await inEnvelope({ context, request, who, watch }, async (underWay) => {
    const taken = await takeFiles(underWay);
    const pushes = await deliver(underWay);
    const report = await reconcileRun(underWay, taken);
    const kept = await keepReport(underWay, report);
    return { taken, pushes, report, kept };
  });
  const undelivered = request.leavesResults
    ? []
    : await deliverResults(context, watch.interrupt, { isPatient: false });
  const unsent = await sendDueNotifications(context, watch.interrupt);
  return { ...result, troubles: [...result.troubles, ...undelivered, ...unsent] };
}
