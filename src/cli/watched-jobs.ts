import type { ActionContext } from '../actions/context.js';
import { jobFacts } from '../actions/service/jobs.js';
import { jobName } from '../config/values/job-name.js';
import { isoFromMs } from '../domain/clock.js';
import type { ExitName } from '../domain/operator-error.js';
import { type JobsView, jobsBook, type KnownJob } from '../monitor/jobs-view.js';
import { pinged } from '../monitor/ping.js';
import { nextSlotMs } from '../schedule/slots.js';
import { describeFailure } from './describe-failure.js';
import type { Logger } from './logger.js';
import { failedPingText, pingEnd } from './ping-log.js';

/** Those who watch the jobs of the service: metrics, and a dead man's switch. */
export interface WatchedJobs extends JobsView {
  /** The service has this configuration from now on. */
  reconfigured(context: ActionContext): Promise<void>;
  /** Does the work of a job before the eyes of those who watch. */
  watched<T>(name: string, work: () => Promise<T>, exitOf: (result: T) => ExitName): Promise<T>;
}

/** How often the process's loop shows that it goes round. */
const BEAT_MS = 5_000;

/** @param stop ends the beat. */
export function watchedJobs(context: ActionContext, logger: Logger, stop: AbortSignal): WatchedJobs {
  const { clock } = context;
  const book = jobsBook(clock);
  let { pings } = context.config.monitor;
  const ping = {
    clock,
    onFailure: (failed: Parameters<typeof failedPingText>[0]) => logger.warn(failed, failedPingText(failed)),
  };
  const beating = async () => {
    while (!stop.aborted) {
      book.beat();
      await clock.sleep(BEAT_MS, stop);
    }
  };
  void beating();
  return {
    jobs: book.jobs,
    aliveAtMs: book.aliveAtMs,
    async reconfigured(now) {
      pings = now.config.monitor.pings;
      try {
        book.know(await jobsOf(now));
      } catch (error) {
        // Whoever watches then sees the jobs of before; the service itself says what is wrong with the ledger.
        logger.warn(`the jobs shown to others are those of before: ${describeFailure(error).text}`);
      }
    },
    watched(name, work, exitOf) {
      const kept = () =>
        book.keep(name, work, (result) => {
          const end = exitOf(result);
          return { end, isSuccess: pingEnd(end) === 'success' };
        });
      return pinged(pings, name, ping, kept, (result) => pingEnd(exitOf(result)));
    },
  };
}

/** The name of the job that delivers to an environment. */
export function deliveryName(environment: string): string {
  return `deliver-${environment}`;
}

/** What lines of the schedule do, taking files in, and the delivery to each environment. */
async function jobsOf(context: ActionContext): Promise<KnownJob[]> {
  const { schedule, environments } = context.config;
  const facts = await jobFacts(context, schedule.map(jobName));
  const named = [...new Set(['run' as const, ...schedule.flatMap((line) => line.do)])].map((name) => {
    const own = schedule.filter((line) => line.do.includes(name));
    const done = facts.flatMap(({ job, lastDoneAt }) =>
      own.some((line) => jobName(line) === job) && lastDoneAt !== null ? lastDoneAt : [],
    );
    const nextAt = () => {
      const next = own.flatMap((line) => nextSlotMs(line, context.clock.nowMs()) ?? []);
      return next.length === 0 ? null : isoFromMs(Math.min(...next));
    };
    return { name, lastSuccessAt: done.sort().at(-1) ?? null, nextAt };
  });
  const deliveries = Object.keys(environments).map((environment) => ({
    name: deliveryName(environment),
    lastSuccessAt: null,
    nextAt: () => null,
  }));
  return [...named, ...deliveries];
}
