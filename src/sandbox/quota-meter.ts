/** How a platform may count. The specification gives the number alone (§8). */
export const QUOTA_WINDOWS = {
  fixed: 'a period opens at the first request after the one before has closed',
  aligned: 'periods follow the clock: with a period of a minute, from full minute to full minute',
  sliding: 'what was allowed within the last period counts, at every moment',
  bucket: 'a permit comes back every period / requests, and as many can be saved up as a period has',
} as const;

export type QuotaWindow = keyof typeof QUOTA_WINDOWS;

/** Of one client id (specification §8). */
export interface SandboxQuota {
  readonly requests: number;
  readonly perMs: number;
  /** Default `fixed`, which fits the publicly seen headers. */
  readonly window?: QuotaWindow | undefined;
}

export interface QuotaCount {
  readonly exceeded: boolean;
  /** How many more requests would be allowed at the same moment. */
  readonly remaining: number;
  /** When permits become free: all of them where a period closes, one in a sliding window or a bucket. */
  readonly resetMs: number;
}

/** Counts one request. Moments must not go backwards. */
export type QuotaMeter = (nowMs: number) => QuotaCount;

/** A refused request takes no permit: it doesn't count in a sliding window nor take from a bucket. */
export function createQuotaMeter(quota: SandboxQuota): QuotaMeter {
  switch (quota.window ?? 'fixed') {
    case 'fixed':
      return periodMeter(quota, (nowMs) => nowMs);
    case 'aligned':
      return periodMeter(quota, (nowMs) => nowMs - (nowMs % quota.perMs));
    case 'sliding':
      return slidingMeter(quota);
    case 'bucket':
      return bucketMeter(quota);
  }
}

/** A meter for each client id. */
export function createQuotaWindows(quota: SandboxQuota) {
  const meters = new Map<string, QuotaMeter>();
  return (clientId: string, nowMs: number) => {
    const meter = meters.get(clientId) ?? createQuotaMeter(quota);
    meters.set(clientId, meter);
    return meter(nowMs);
  };
}

/** @param opensAt when the period opens whose first request comes at `nowMs`. */
function periodMeter({ requests, perMs }: SandboxQuota, opensAt: (nowMs: number) => number): QuotaMeter {
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
