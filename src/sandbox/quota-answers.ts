import { type Refusal, refusalAnswer, type SandboxAnswer } from './answer.js';
import type { QuotaCount, SandboxQuota } from './quota-meter.js';
import { quotaDetail, quotaHeaders, retryAfterSeconds } from './quota-windows.js';

/** The answers of one platform: each refusal has an id, and most answers show the quota. */
export interface QuotaAnswers {
  refuse(refusal: Refusal): SandboxAnswer;
  overQuota(count: QuotaCount, nowMs: number): SandboxAnswer;
  /** A 429 that is independent of the count. */
  throttled(retryAfterS: number | string): SandboxAnswer;
  /** The answer with the quota's headers; unchanged where the request wasn't counted (null). */
  withQuota(answer: SandboxAnswer, count: QuotaCount | null): SandboxAnswer;
}

export function createQuotaAnswers(quota: SandboxQuota): QuotaAnswers {
  let refusals = 0;
  const answers: QuotaAnswers = {
    refuse(refusal) {
      refusals += 1;
      return refusalAnswer(refusal, `error-${refusals}`);
    },
    overQuota: (count, nowMs) => answers.throttled(retryAfterSeconds(count, nowMs)),
    throttled: (retryAfterS) =>
      withRetryAfter(answers.refuse({ status: 429, detail: quotaDetail(quota) }), retryAfterS),
    withQuota: (answer, count) =>
      count === null ? answer : { ...answer, headers: { ...answer.headers, ...quotaHeaders(quota, count) } },
  };
  return answers;
}

/** The answer with a `Retry-After` of so many seconds; undefined: without one. */
export function withRetryAfter(answer: SandboxAnswer, seconds: number | string | undefined): SandboxAnswer {
  if (seconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
}
