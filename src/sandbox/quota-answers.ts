import { isoFromMs } from '../domain/clock.js';
import { type Refusal, refusalAnswer, type SandboxAnswer } from './answer.js';
import type { QuotaCount, SandboxQuota } from './quota-meter.js';

/** The answers of one platform: each refusal has an id, and most answers show the quota. */
export type QuotaAnswers = ReturnType<typeof createQuotaAnswers>;

export function createQuotaAnswers({ requests, perMs }: SandboxQuota) {
  let refusals = 0;
  const refuse = (refusal: Refusal) => {
    refusals += 1;
    return refusalAnswer(refusal, `error-${refusals}`);
  };
  /** A 429 in the sentence of specification §8, independent of the count. */
  const throttled = (retryAfterS: number) => {
    const detail = `Maximum ${requests} requests allowed per ${periodText(perMs)}.`;
    return withRetryAfter(refuse({ status: 429, detail }), retryAfterS);
  };
  return {
    refuse,
    throttled,
    /** Whole seconds, rounded, so that it may be half a second short. */
    overQuota: ({ resetMs }: QuotaCount, nowMs: number) => throttled(Math.round((resetMs - nowMs) / 1000)),
    /** The answer with the quota's headers; unchanged where the request wasn't counted (null). */
    withQuota(answer: SandboxAnswer, count: QuotaCount | null): SandboxAnswer {
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
