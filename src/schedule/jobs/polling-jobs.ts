import { sendNotifications } from '../../actions/alerts.js';
import { finishDecisions } from '../../actions/decision/finish.js';
import { deliverResults } from '../../actions/results/deliver-results.js';
import type { RunResult } from '../../actions/run/run-lifecycle.js';
import { registerService } from '../../actions/service/presence.js';
import { awaitsDelivery, unfinishedWork } from '../../actions/service/work-to-do.js';
import { backOff, repeatUntilStopped, retryUntilStopped } from '../retry-until-stopped.js';
import type { ServiceContext } from '../service-event.js';

// The jobs that query the ledger for work every few seconds, until `stop` is aborted.

/** How often the ledger is queried: another process may have staged rows, or died. */
const POLL_MS = 2_000;

/** Some alerts arise without an event: a missing file, a deadline that is missed. */
const ALERTS_MS = 60_000;

const HEARTBEAT_MS = 60_000;

/** An environment that can't be used is tried again after its `outage`, then ever later, at last four times an hour. */
const LONGEST_RETRY_MS = 900_000;

/** Delivers to an environment whenever something waits for it. @param deliver a run that pushes to it until nothing waits or the push can't go on. */
export function deliveryJob(
  service: ServiceContext,
  environment: string,
  deliver: () => Promise<RunResult>,
): Promise<void> {
  const outageMs = service.config.environments[environment]?.outageMs ?? 0;
  const retry = backOff(Math.max(outageMs, POLL_MS), LONGEST_RETRY_MS);
  const work = async () => {
    if (!(await awaitsDelivery(service, environment))) return POLL_MS;
    const result = await deliver();
    service.listen({ kind: 'ran', result });
    const ends = Object.values(result.pushes).map(({ kind }) => kind);
    // After any other run, another one at once would be the same.
    const hasMoved = ends.every((kind) => kind === 'drained') && result.report.attempts.total > 0;
    if (hasMoved) retry.worked();
    // Where another process delivers, what waits after it is this one's.
    return hasMoved || ends.includes('elsewhere') ? POLL_MS : retry.failed();
  };
  return repeatUntilStopped(`deliver to ${environment}`, work, service);
}

/**
 * Finishes what dead or interrupted processes have left: decisions that are not carried out to their end, and files whose
 * import was interrupted. A decision is left alone until the second poll: its process may be at work. A file is tried once,
 * and again only after it has changed.
 * @param importFiles imports the files of a source.
 */
export function unfinishedWorkJob(
  service: ServiceContext,
  importFiles: (source: string) => Promise<RunResult>,
): Promise<void> {
  const { stop, listen } = service;
  let previous: readonly number[] = [];
  let tried = new Set<string>();
  const finish = () =>
    finishDecisions(service, null, (decision) => listen({ kind: 'decision-finished', decision }));
  const work = async () => {
    const { decisions, files } = await unfinishedWork(service);
    const [stuck] = decisions.some((id) => previous.includes(id)) ? await finish() : [];
    previous = decisions;
    tried = new Set(files.flatMap(({ mark }) => (tried.has(mark) ? mark : [])));
    const fresh = files.filter(({ mark }) => !tried.has(mark));
    for (const source of new Set(fresh.map((file) => file.source))) {
      if (stop.aborted) break;
      listen({ kind: 'ran', result: await importFiles(source) });
    }
    for (const { mark } of fresh) tried.add(mark);
    if (stuck !== undefined) throw stuck;
    return POLL_MS;
  };
  return repeatUntilStopped('interrupted work', work, service);
}

/** Delivers the results of files to their senders. Ends at once where no source has a target for them. */
export async function resultsJob(service: ServiceContext): Promise<void> {
  if (service.config.sources.every(({ results }) => results === undefined)) return;
  const work = async () => {
    for (const error of await deliverResults(service, service.stop, { backsOff: true })) {
      service.listen({ kind: 'failed', job: 'results', error, againMs: null });
    }
    return POLL_MS;
  };
  await repeatUntilStopped('results', work, service);
}

/** Sends notifications of what is wrong, and of its end. A failed notification is sent again later. */
export function alertsJob(service: ServiceContext): Promise<void> {
  // Without channels, alerts are recorded for status and pages, and not logged.
  const hasChannels = service.config.alerts.channels.length > 0;
  const work = async () => {
    const sent = await sendNotifications(service, service.stop);
    const hasNews = sent.opened.length + sent.recovered.length + sent.channels.length > 0;
    if (hasChannels && hasNews) service.listen({ kind: 'notified', sent });
    return ALERTS_MS;
  };
  return repeatUntilStopped('alerts', work, service);
}

/**
 * Signs the service on and records a heartbeat every minute.
 * @param stopRequested aborted where an operator stops the service: it then signs off, and is not reported as gone.
 */
export async function heartbeatJob(service: ServiceContext, stopRequested: AbortSignal): Promise<void> {
  const signed = await retryUntilStopped(() => registerService(service), service);
  const work = async () => {
    await signed?.recordHeartbeat();
    return HEARTBEAT_MS;
  };
  await repeatUntilStopped('heartbeat', work, service);
  if (!stopRequested.aborted) return;
  // The service ends anyway, and is reported as gone: a full disk needs attention.
  await signed?.signOff().catch((error: unknown) => {
    service.listen({ kind: 'failed', job: 'heartbeat', error, againMs: null });
  });
}
