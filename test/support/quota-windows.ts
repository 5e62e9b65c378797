import { periodMeter, type QuotaMeter, type SandboxQuota } from '../../src/sandbox/quota.js';

/** How platforms may count requests: the sandbox's own way first. */
export const QUOTA_WINDOWS = {
  fixed: 'a period opens at the first request after the one before has closed',
  aligned: 'periods follow the clock: with a period of a minute, from full minute to full minute',
  sliding: 'what was allowed within the last period counts, at every moment',
  bucket: 'a permit comes back every period / requests, and as many can be saved up as a period has',
} as const;

export type QuotaWindow = keyof typeof QUOTA_WINDOWS;

/** A refused request takes no permit: it doesn't count in a sliding window nor take from a bucket. */
export const QUOTA_METERS: Readonly<Record<QuotaWindow, (quota: SandboxQuota) => QuotaMeter>> = {
  fixed: (quota) => periodMeter(quota),
  aligned: (quota) => periodMeter(quota, (nowMs) => nowMs - (nowMs % quota.perMs)),
  sliding: slidingMeter,
  bucket: bucketMeter,
};

/** A period is half open: a request leaves the window at the moment that is a period later. */
function slidingMeter({ requests, perMs }: SandboxQuota): QuotaMeter {
  const allowedMs: number[] = [];
  return (nowMs) => {
    while ((allowedMs[0] ?? nowMs) <= nowMs - perMs) allowedMs.shift();
    const exceeded = allowedMs.length >= requests;
    if (!exceeded) allowedMs.push(nowMs);
    return { exceeded, remaining: requests - allowedMs.length, resetMs: (allowedMs[0] ?? nowMs) + perMs };
  };
}

/** A permit is `perMs` units and each millisecond brings `requests` units, so that nothing is ever rounded. */
function bucketMeter({ requests, perMs }: SandboxQuota): QuotaMeter {
  const capacity = requests * perMs;
  let units = capacity;
  let filledMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    units = Math.min(capacity, units + (nowMs - filledMs) * requests);
    filledMs = nowMs;
    const exceeded = units < perMs;
    if (!exceeded) units -= perMs;
    const missing = perMs - (units % perMs);
    const resetMs = nowMs + Math.ceil(missing / requests);
    return { exceeded, remaining: Math.floor(units / perMs), resetMs };
  };
}
