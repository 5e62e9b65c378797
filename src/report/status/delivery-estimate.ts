import type { Config, EnvironmentConfig } from '../../config/schema.js';
import { durationText } from '../../config/values/duration.js';
import type { Queue } from '../../documents/report.js';
import type { DeliveryEstimate } from '../../documents/run.js';
import { type Clock, isoFromMs, msFromIso } from '../../domain/clock.js';
import { mapSeries } from '../../domain/process/series.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { inWords, roughlyInWords } from '../../domain/text/duration-words.js';
import { type WaitingDelivery, waitingDelivery } from '../../ledger/attempts/waiting-requests.js';
import type { Ledger } from '../../ledger/store/query.js';
import { localTime } from '../text/local-time.js';

/**
 * How long a run takes to deliver to these environments what waits now, in their order. One that registrar.yaml doesn't have is
 * left out.
 * @param context its ledger is null where there has never been one.
 */
export async function estimatesOf(
  context: {
    readonly ledger: Ledger | null;
    readonly config: Pick<Config, 'environments'>;
    readonly clock: Clock;
  },
  environments: readonly string[],
): Promise<readonly DeliveryEstimate[]> {
  const { ledger, config, clock } = context;
  const waiting = (
    await mapSeries(environments, async (environment): Promise<Waiting[]> => {
      const settings = config.environments[environment];
      if (settings === undefined) return [];
      const delivery =
        ledger === null ? NOTHING : await waitingDelivery(ledger, environment, settings.clientId);
      return [{ environment, settings, delivery }];
    })
  ).flat();
  const nowMs = clock.nowMs();
  return mapSeries(waiting, async (work) => {
    // Rows keep the deadline that was the next when they came in, until they are delivered.
    const sinceMs = work.delivery.since === null ? nowMs : msFromIso(work.delivery.since);
    const deliverByMs = await nextDeliverBy(work.settings, Math.min(nowMs, sinceMs));
    return deliveryEstimate(work, requestsBeside(work, waiting), nowMs, deliverByMs);
  });
}

/** These environments, each with its estimate; one that registrar.yaml doesn't have is left out. */
export async function withEstimates<One extends { readonly environment: string }>(
  context: Parameters<typeof estimatesOf>[0],
  environments: readonly One[],
) {
  const names = environments.map(({ environment }) => environment);
  const estimates = await estimatesOf(context, names);
  return environments.flatMap((one) => {
    const estimate = estimates.find(({ environment }) => environment === one.environment);
    return estimate === undefined ? [] : [{ ...one, estimate }];
  });
}

interface Waiting {
  readonly environment: string;
  readonly settings: EnvironmentConfig;
  readonly delivery: WaitingDelivery;
}

const NOTHING: WaitingDelivery = { rows: 0, requests: 0, pausedForMs: 0, isDown: false, since: null };

/** Environments of one client id take permits in turn: until one is done, each other one has sent as much, or all it has. */
function requestsBeside({ environment, settings, delivery }: Waiting, all: readonly Waiting[]): number {
  return all
    .filter((other) => other.environment !== environment && other.settings.clientId === settings.clientId)
    .filter((other) => !other.delivery.isDown)
    .reduce((sum, other) => sum + Math.min(other.delivery.requests, delivery.requests), 0);
}

/** In milliseconds since 1970; null where the environment has none. */
async function nextDeliverBy(
  { deliverBy, timeZone }: EnvironmentConfig,
  nowMs: number,
): Promise<number | null> {
  if (deliverBy === undefined || timeZone === undefined) return null;
  // Loading what knows zones takes as long as a run that finds nothing to do.
  const { nextTimeOfDay } = await import('../../normalise/time/zone/zone-offsets.js');
  return nextTimeOfDay(deliverBy, timeZone, nowMs);
}

/**
 * How long the delivery of what waits takes from now on, and whether it ends in time.
 * @param deliverByMs the `deliverBy` that counts, in milliseconds since 1970; null where there is none.
 */
export function deliveryEstimate(
  { environment, settings, delivery: { rows, requests, pausedForMs, isDown } }: Waiting,
  requestsBeside: number,
  nowMs: number,
  deliverByMs: number | null,
): DeliveryEstimate {
  const lasts = estimatedMs(requests + requestsBeside, settings, pausedForMs);
  const endMs = requests === 0 || isDown ? null : nowMs + lasts;
  const { deliverBy: time, timeZone } = settings;
  const lateByMs = endMs === null || deliverByMs === null ? null : Math.max(0, endMs - deliverByMs);
  return {
    environment,
    rows,
    requests,
    estimatedMs: lasts,
    estimatedEnd: endMs === null ? null : isoFromMs(endMs),
    quota: { requests: requestsAllowed(settings), perMs: settings.quota.perMs },
    deliverBy:
      time === undefined || timeZone === undefined || deliverByMs === null
        ? null
        : { time, timeZone, at: isoFromMs(deliverByMs), isMissed: deliverByMs <= nowMs, lateByMs },
  };
}

/** The time that a sound platform takes to answer; used by estimates alone. */
const ASSUMED_LATENCY_MS = 500;

/**
 * How long `waiting` requests take at the environment's quota, in milliseconds: a permit stays taken for the period and an
 * answer's time. Permits that are taken now delay them by at most a period, which is left out.
 */
export function estimatedMs(waiting: number, environment: EnvironmentConfig, pausedForMs = 0): number {
  const allowed = requestsAllowed(environment);
  const eachMs = (environment.quota.perMs + ASSUMED_LATENCY_MS) / allowed;
  return waiting === 0 ? 0 : Math.ceil(pausedForMs + waiting * eachMs);
}

function requestsAllowed({ quota: { requests, reserve } }: EnvironmentConfig): number {
  return Math.max(1, requests - reserve);
}

export function isLate({ deliverBy }: Pick<DeliveryEstimate, 'deliverBy'>): boolean {
  return deliverBy !== null && (deliverBy.isMissed || (deliverBy.lateByMs ?? 0) > 0);
}

/** Who delivers the waiting rows, and when, in a sentence or two. */
export function queueWords({ environment, waiting, estimatedMs: ms, estimatedEnd, pushedBy }: Queue): string {
  const rows = `${countOf(waiting, 'row waits', 'rows wait')} for ${environment}`;
  if (ms === null) return `${rows}, which registrar.yaml doesn't have: restore the environment.`;
  const until = estimatedEnd === null ? ' once it can be used' : `, until ${localTime(estimatedEnd)}`;
  const by = pushedBy?.takesAll ? `process ${pushedBy.pid} delivers` : 'the next registrar run delivers';
  return `${rows}: ${inWords(ms)} of delivery${until}; ${by} ${agreeing(waiting, 'it', 'them')}.`;
}

/** "main: 412 rows in 412 requests, about 6 min at 70 a minute, until Sun 22 Nov 14:32 CET" and what `inTimeWords` says. */
export function estimateWords(estimate: DeliveryEstimate): string {
  const { environment, rows, requests, estimatedMs: ms, estimatedEnd, quota } = estimate;
  const rate = quota.perMs === 60_000 ? 'a minute' : `per ${durationText(quota.perMs)}`;
  const what = `${environment}: ${countOf(rows, 'row')} in ${countOf(requests, 'request')}`;
  const lasts = `${what}, about ${roughlyInWords(ms)} at ${quota.requests} ${rate}`;
  if (estimatedEnd === null) return `${lasts} once it can be used`;
  const inTime = inTimeWords(estimate);
  return `${lasts}, until ${localTime(estimatedEnd)}${inTime === null ? '' : `, ${inTime}`}`;
}

/** "will miss the Sun 22 Nov 18:00 CET deadline by about 32 min"; null: there is no deadline, or no estimated end before it. */
export function inTimeWords({ deliverBy }: Pick<DeliveryEstimate, 'deliverBy'>): string | null {
  if (deliverBy === null) return null;
  const deadline = `the ${localTime(deliverBy.at)} deadline`;
  if (deliverBy.isMissed) return `missed ${deadline}`;
  switch (deliverBy.lateByMs) {
    case null:
      return null;
    case 0:
      return `will meet ${deadline}`;
    default:
      return `will miss ${deadline} by about ${roughlyInWords(deliverBy.lateByMs)}`;
  }
}
