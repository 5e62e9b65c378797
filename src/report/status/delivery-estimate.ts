import type { EnvironmentConfig } from '../../config/schema.js';
import { durationText } from '../../config/values/duration.js';
import type { Queue } from '../../documents/report.js';
import type { DeliveryEstimate } from '../../documents/run.js';
import { isoFromMs } from '../../domain/clock.js';
import { agreeing, countOf } from '../../domain/text/count-of.js';
import { inWords, roughlyInWords } from '../../domain/text/duration-words.js';
import type { WaitingDelivery } from '../../ledger/attempts/waiting-requests.js';
import { localTime } from '../text/local-time.js';
import { estimatedMs, requestsAllowed } from './estimate.js';

export interface EstimateFacts {
  readonly environment: string;
  readonly settings: EnvironmentConfig;
  readonly delivery: WaitingDelivery;
  readonly requestsBeside: number;
  readonly nowMs: number;
  /** The `deliverBy` that counts, in milliseconds since 1970; null where there is none. */
  readonly deliverByMs: number | null;
}

/** How long the delivery of what waits takes from now on, and whether it ends in time. */
export function deliveryEstimate(facts: EstimateFacts): DeliveryEstimate {
  const { environment, settings, nowMs } = facts;
  const { rows, requests, quota, isDown } = facts.delivery;
  const lasts = requests === 0 ? 0 : estimatedMs(requests + facts.requestsBeside, settings, quota);
  const endMs = requests === 0 || isDown ? null : nowMs + lasts;
  return {
    environment,
    rows,
    requests,
    estimatedMs: lasts,
    estimatedEnd: endMs === null ? null : isoFromMs(endMs),
    quota: { requests: requestsAllowed(settings), perMs: settings.quota.perMs },
    deliverBy: deliverByOf(facts, endMs),
  };
}

function deliverByOf(
  { settings, deliverByMs, nowMs }: EstimateFacts,
  endMs: number | null,
): DeliveryEstimate['deliverBy'] {
  const { deliverBy: time, timeZone } = settings;
  if (time === undefined || timeZone === undefined || deliverByMs === null) return null;
  const lateByMs = endMs === null ? null : Math.max(0, endMs - deliverByMs);
  return { time, timeZone, at: isoFromMs(deliverByMs), isMissed: deliverByMs <= nowMs, lateByMs };
}

export function isLate({ deliverBy }: Pick<DeliveryEstimate, 'deliverBy'>): boolean {
  return deliverBy !== null && (deliverBy.isMissed || (deliverBy.lateByMs ?? 0) > 0);
}

/** Who delivers the waiting rows, and when, in a sentence or two. */
export function queueWords({ environment, waiting, estimatedMs: ms, estimatedEnd, pushedBy }: Queue): string {
  const rows = `${countOf(waiting, 'row waits', 'rows wait')} for ${environment}`;
  if (ms === null) return `${rows}, which registrar.yaml doesn't have: put the environment back.`;
  const until = estimatedEnd === null ? ' once it can be used' : `, until ${localTime(estimatedEnd)}`;
  const by = pushedBy?.takesAll ? `process ${pushedBy.pid} delivers` : 'the next registrar run delivers';
  return `${rows}: ${inWords(ms)} of delivering${until}; ${by} ${agreeing(waiting, 'it', 'them')}.`;
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
