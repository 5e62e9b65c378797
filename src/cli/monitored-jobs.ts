import type { ActionContext } from '../actions/context.js';
import { jobFacts } from '../actions/service/jobs.js';
import { isDeliveryBlocked } from '../actions/service/work-to-do.js';
import { deliveryName, jobName } from '../config/values/job-name.js';
import { isoFromMs } from '../domain/clock.js';
import type { ExitName } from '../domain/operator-error.js';
import { mapSeries } from '../domain/process/series.js';
import { type JobDefinition, jobTracker } from '../monitor/job-tracker.js';
import { type PingEnd, sendPings, withPings } from '../monitor/ping.js';
import { nextSlotMs } from '../report/status/slots.js';
import { describeFailure } from './describe-failure.js';
import type { Logger } from './logger.js';
import { failedPingText, pingEnd } from './ping-log.js';

/** How often the process's loop shows that it goes round, and a change of deliveries is looked for. */
const LOOK_MS = 5_000;

/** An unchanged state is sent again this often, because no row may wait for days. */
const REPEAT_MS = 300_000;

/** The observers of the service's jobs: metrics, and a dead man's switch. */
export type MonitoredJobs = ReturnType<typeof monitoredJobs>;

/** @param stop ends the heartbeat. */
export function monitoredJobs(first: ActionContext, logger: Logger, stop: AbortSignal) {
  const { clock } = first;
  const tracker = jobTracker(clock);
  let context = first;
  /** Environments whose latest delivery has failed. */
  const broken = new Set<string>();
  const ping = {
    clock,
    onFailure: (failed: Parameters<typeof failedPingText>[0]) => logger.warn(failed, failedPingText(failed)),
  };
  const repeat = async (look: () => unknown) => {
    while (!stop.aborted) {
      await look();
      await clock.sleep(LOOK_MS, stop);
    }
  };
  void repeat(tracker.heartbeat);
  const keepJob = <T>(name: string, work: () => Promise<T>, exitOf: (result: T) => ExitName) =>
    tracker.track(name, work, (result) => {
      const end = exitOf(result);
      return { end, isSuccess: pingEnd(end) === 'success' };
    });
  /** `unavailable` where rows wait for one of these environments and aren't delivered. */
  const deliveryEnd = async (environments: readonly string[]): Promise<ExitName> => {
    const held = await mapSeries(environments, (name) => isDeliveryBlocked(context, name, broken.has(name)));
    return held.includes(true) ? 'unavailable' : 'done';
  };
  const lastPings = new Map<string, { readonly end: PingEnd; readonly atMs: number }>();
  const pingDelivery = async (job: string, own: readonly string[]) => {
    const { pings } = context.config.monitor;
    if (!pings.some((one) => one.job === job)) return;
    const exit = await deliveryEnd(own).catch((error) => describeFailure(error).exit);
    const end = exit === 'done' ? 'success' : 'fail';
    const before = lastPings.get(job);
    const nowMs = clock.monotonicMs();
    if (before?.end === end && nowMs - before.atMs < REPEAT_MS) return;
    lastPings.set(job, { end, atMs: nowMs });
    await sendPings(pings, job, end, ping);
  };
  // `deliver`, of all environments, and `deliver-ENVIRONMENT`: whether what waits is delivered.
  void repeat(async () => {
    const all = Object.keys(context.config.environments);
    await pingDelivery('deliver', all);
    for (const environment of all) await pingDelivery(deliveryName(environment), [environment]);
  });
  return {
    jobs: tracker.jobs,
    aliveAtMs: tracker.aliveAtMs,
    async reconfigured(now: ActionContext) {
      context = now;
      try {
        tracker.setJobs(await jobsOf(now));
      } catch (error) {
        // Until then pages show the former jobs; the service itself reports the fault of the ledger.
        logger.warn(`the jobs shown to monitors are unchanged: ${describeFailure(error).text}`);
      }
    },
    /** Runs a job so that pages and metrics show it. */
    watched<T>(name: string, work: () => Promise<T>, exitOf: (result: T) => ExitName) {
      const { pings } = context.config.monitor;
      return withPings(
        pings,
        name,
        ping,
        () => keepJob(name, work, exitOf),
        (result) => pingEnd(exitOf(result)),
      );
    },
    /** The same for a delivery. A dead man's switch hears of deliveries by the clock: for days nothing may wait. */
    async delivered<T>(environment: string, work: () => Promise<T>, exitOf: (result: T) => ExitName) {
      let isBroken = true;
      try {
        const result = await keepJob(deliveryName(environment), work, exitOf);
        isBroken = pingEnd(exitOf(result)) === 'fail';
        return result;
      } finally {
        if (isBroken) broken.add(environment);
        else broken.delete(environment);
      }
    },
    deliveryEnd,
  };
}

async function jobsOf(context: ActionContext): Promise<JobDefinition[]> {
  const { schedule, environments } = context.config;
  const facts = await jobFacts(context, schedule.map(jobName));
  const items = [...new Set(['run' as const, ...schedule.flatMap((line) => line.do)])].map((name) => {
    const own = schedule.filter((line) => line.do.includes(name));
    const done = facts.flatMap(({ job, lastDoneAt }) =>
      own.some((line) => jobName(line) === job) && lastDoneAt !== null ? lastDoneAt : [],
    );
    const nextAt = () => {
      const next = own.flatMap((line) => nextSlotMs(line, context.ledger.clock.nowMs()) ?? []);
      return next.length === 0 ? null : isoFromMs(Math.min(...next));
    };
    return { name, lastSuccessAt: done.sort().at(-1) ?? null, nextAt };
  });
  const deliveries = Object.keys(environments).map((environment) => ({
    name: deliveryName(environment),
    lastSuccessAt: null,
    nextAt: () => null,
  }));
  return [...items, ...deliveries];
}
