import type { EnvironmentConfig } from '../../config/schema.js';
import type { QuotaUse } from '../../ledger/permits/quota.js';

/** The time that a sound platform takes to answer; used by estimates alone. */
const ASSUMED_LATENCY_MS = 500;

export const ALL_FREE: QuotaUse = { freeAfterMs: [], pausedForMs: 0 };

/**
 * How long `waiting` requests take at the environment's quota, in milliseconds: a permit stays taken for the period and an
 * answer's time.
 * @param quotaUse what others use of the quota: the first request without a free permit waits for one.
 */
export function estimatedMs(waiting: number, environment: EnvironmentConfig, quotaUse = ALL_FREE): number {
  const allowed = requestsAllowed(environment);
  const eachMs = (environment.quota.perMs + ASSUMED_LATENCY_MS) / allowed;
  const free = allowed - quotaUse.freeAfterMs.length;
  // The n-th permit that becomes free is for the n-th request that found none; all after it follow at the same pace.
  const ends = quotaUse.freeAfterMs.map((afterMs, index) => {
    const before = free + index;
    return before < 0 || before >= waiting ? 0 : afterMs + (waiting - before) * eachMs;
  });
  return waiting === 0 ? 0 : Math.ceil(Math.max(quotaUse.pausedForMs + waiting * eachMs, ...ends));
}

export function requestsAllowed({ quota: { requests, reserve } }: EnvironmentConfig): number {
  return Math.max(1, requests - reserve);
}
