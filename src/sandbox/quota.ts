import { isoFromMs } from '../domain/clock.js';
import { type Refusal, refusalAnswer, type SandboxAnswer } from './answer.js';

/** Of one client id (specification §8). */
export interface SandboxQuota {
  readonly requests: number;
  readonly perMs: number;
  /** How the platform counts, of which the specification gives the number alone; absent: `periodMeter`. */
  readonly meter?: ((quota: SandboxQuota) => QuotaMeter) | undefined;
}

export interface QuotaCount {
  readonly exceeded: boolean;
  /** How many more requests would be allowed at the same moment. */
  readonly remaining: number;
  /** When permits become free. */
  readonly resetMs: number;
}

/** Counts one request. Moments must not go backwards. A refused request takes no permit. */
export type QuotaMeter = (nowMs: number) => QuotaCount;

export function createQuotaWindows(quota: SandboxQuota) {
  const meters = new Map<string, QuotaMeter>();
  return (clientId: string, nowMs: number) => {
    const meter = meters.get(clientId) ?? (quota.meter ?? periodMeter)(quota);
    meters.set(clientId, meter);
    return meter(nowMs);
  };
}

/**
 * A period opens at the first request after the one before has closed, which fits the publicly seen headers.
 * @param opensAt when the period opens whose first request comes at `nowMs`.
 */
export function periodMeter(
  { requests, perMs }: SandboxQuota,
  opensAt: (nowMs: number) => number = (nowMs) => nowMs,
): QuotaMeter {
  let closesMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (nowMs) => {
    if (nowMs >= closesMs) {
      closesMs = opensAt(nowMs) + perMs;
      used = 0;
    }
    const exceeded = used >= requests;
    if (!exceeded) used += 1;
    return { exceeded, remaining: requests - used, resetMs: closesMs };
  };
}

/** The answers of one platform: each refusal has an id, and most answers show the quota. */
export type QuotaAnswers = ReturnType<typeof createQuotaAnswers>;

export function createQuotaAnswers({ requests, perMs }: SandboxQuota) {
  let refusals = 0;
  const refused = (refusal: Refusal) => {
    refusals += 1;
    return refusalAnswer(refusal, `error-${refusals}`);
  };
  /** A 429 in the sentence of specification §8, independent of the count. */
  const throttled = (retryAfterS: number) => {
    const detail = `Maximum ${requests} requests allowed per ${periodText(perMs)}.`;
    return withRetryAfter(refused({ status: 429, detail }), retryAfterS);
  };
  return {
    throttled,
    /** Whole seconds, rounded, so that it may be half a second short. */
    overQuota: ({ resetMs }: QuotaCount, nowMs: number) => throttled(Math.round((resetMs - nowMs) / 1000)),
    /** The answer with the quota's headers; without where the request wasn't counted (null). */
    withQuota(result: SandboxAnswer | Refusal, count: QuotaCount | null): SandboxAnswer {
      const answer = 'detail' in result ? refused(result) : result;
      if (count === null) return answer;
      const headers = {
        'x-rate-limit-limit': periodText(perMs),
        'x-rate-limit-remaining': String(count.remaining),
        // Publicly seen values have seven decimals.
        'x-rate-limit-reset': isoFromMs(count.resetMs).replace('Z', '0000Z'),
      };
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },
  };
}

/** undefined: without a `Retry-After`. */
export function withRetryAfter(answer: SandboxAnswer, seconds: number | undefined): SandboxAnswer {
  if (seconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
}

/** 1m, 2s, 1h, 250ms: the largest unit that divides the period. */
function periodText(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
