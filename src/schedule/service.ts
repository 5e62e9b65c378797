import { setMaxListeners } from 'node:events';
import type { ActionContext } from '../actions/context.js';
import type { RunResult } from '../actions/run/run-lifecycle.js';
import { registerServiceJobs } from '../actions/service/jobs.js';
import { ledgerMissing } from '../actions/service/presence.js';
import { jobName } from '../config/values/job-name.js';
import { linkedSignal } from '../domain/process/linked-signal.js';
import { intakeJob } from './jobs/intake-job.js';
import { alertsJob, deliveryJob, heartbeatJob, resultsJob, unfinishedWorkJob } from './jobs/polling-jobs.js';
import { type Perform, timedJob } from './jobs/timed-job.js';
import { retryUntilStopped } from './retry-until-stopped.js';
import type { ServiceContext, ServiceListener } from './service-event.js';

/** What the jobs of the service call. */
export interface Work {
  /** Executes the first half of the flow once, for a source; `stop` ends it early. */
  importFiles(context: ActionContext, source: string, stop: AbortSignal): Promise<RunResult>;
  /** Executes the second half once, for an environment. */
  deliver(context: ActionContext, environment: string, stop: AbortSignal): Promise<RunResult>;
  /** Does the work of a line of the schedule, to its end unless the service ends. */
  perform(context: ActionContext): Perform;
}

/**
 * The service: jobs that run side by side until `stopRequested` is aborted. A new configuration ends intake and delivery where
 * they can be resumed, and they continue with it; a started line of the schedule finishes with the old one.
 * Throws OperatorError (74) once the ledger has been gone for minutes.
 * @param onReconfigured calls back whenever the configuration has been read again, with what it is now.
 */
export async function runService(
  first: ActionContext,
  work: Work,
  stopRequested: AbortSignal,
  onReconfigured: (listener: (context: ActionContext) => void) => void,
  listen: ServiceListener,
): Promise<void> {
  const ending: Promise<unknown>[] = [];
  let context = first;
  const ledgerGone = new AbortController();
  const { signal: stop } = linkedSignal([stopRequested, ledgerGone.signal]);
  // Each job listens; Node would take more than ten listeners for a leak and print a warning.
  setMaxListeners(0, stopRequested, stop);
  const gone = watchLedgerFile(first, stop).finally(() => ledgerGone.abort());
  ending.push(heartbeatJob({ ...first, stop, listen }, stopRequested));
  while (!stop.aborted) {
    const over = new AbortController();
    setMaxListeners(0, over.signal);
    const end = () => over.abort();
    stop.addEventListener('abort', end, { once: true });
    onReconfigured((next) => {
      context = next;
      end();
    });
    // As soon as the ledger can be written.
    const job = { stop: over.signal, listen };
    const jobs = await retryUntilStopped(() => begin({ ...context, ...job }, work), { ...first, ...job });
    ending.push(...(jobs?.timed ?? []));
    await Promise.all(jobs?.resumable ?? []);
    stop.removeEventListener('abort', end);
  }
  await Promise.all(ending);
  const why = await gone;
  if (why !== null) throw why;
}

/** Starts all jobs; `resumable` end soon after `stop` is aborted, `timed` finish what is under way. */
async function begin(service: ServiceContext, work: Work) {
  const { sources, environments, schedule } = service.config;
  await registerServiceJobs(service, schedule.map(jobName));
  const importFiles = (source: string) => work.importFiles(service, source, service.stop);
  const intake = sources
    .filter(({ pollMs, paused }) => pollMs > 0 && paused === undefined)
    .map((source) => intakeJob(service, source, () => importFiles(source.name)));
  const delivery = Object.keys(environments).map((name) =>
    deliveryJob(service, name, () => work.deliver(service, name, service.stop)),
  );
  const perform = work.perform(service);
  const lines = schedule.filter(({ paused }) => paused === undefined);
  return {
    resumable: [
      ...intake,
      ...delivery,
      unfinishedWorkJob(service, importFiles),
      resultsJob(service),
      alertsJob(service),
    ],
    timed: lines.map((entry) => timedJob(service, entry, perform)),
  };
}

const POLL_MS = 15_000;

/** Time to restore a ledger that was moved away by mistake. */
const PATIENCE_MS = 120_000;

/**
 * Waits until the ledger's file has been another one, or none, for two minutes: the process can't continue with it.
 * @returns why; null where `stop` is aborted before.
 */
export async function watchLedgerFile(context: ActionContext, stop: AbortSignal) {
  const { clock } = context;
  let goneSinceMs: number | null = null;
  while (!stop.aborted) {
    const missing = ledgerMissing(context);
    if (missing === null) goneSinceMs = null;
    else {
      goneSinceMs ??= clock.monotonicMs();
      if (clock.monotonicMs() - goneSinceMs >= PATIENCE_MS) return missing;
    }
    await clock.sleep(POLL_MS, stop);
  }
  return null;
}
