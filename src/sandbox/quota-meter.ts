/** How a platform may count the requests of one client id. The specification doesn't say; §8 gives the number alone. */
export const QUOTA_WINDOWS = {
  fixed: 'a period opens at the first request after the one before has closed',
  aligned: 'periods follow the clock: with a period of a minute, from full minute to full minute',
  sliding: 'what was allowed within the last period counts, at every moment',
  bucket: 'a permit comes back every period / requests, and as many can be saved up as a period has',
} as const;

export type QuotaWindow = keyof typeof QUOTA_WINDOWS;

/** How many requests one client id may make in a period (specification §8). */
export interface SandboxQuota {
  readonly requests: number;
  readonly perMs: number;
  /** Default `fixed`, which is what the headers that are publicly seen tell of. */
  readonly window?: QuotaWindow | undefined;
}

/** What one request met. */
export interface QuotaCount {
  readonly exceeded: boolean;
  /** How many more would be allowed at the same moment. */
  readonly remaining: number;
  /** When permits come back: all of a period that closes, one of a sliding window or a bucket. */
  readonly resetMs: number;
}

/** The count of one client id. Moments must not go backwards. */
export interface QuotaMeter {
  count(nowMs: number): QuotaCount;
}

/**
 * A meter that has seen nothing yet. A request that is refused takes nothing away: it neither counts in a sliding window
 * nor takes from a bucket, and a period that is used up stays so until it closes.
 */
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

/** @param opensAt when the period opens whose first request comes at that moment. */
function periodMeter({ requests, perMs }: SandboxQuota, opensAt: (nowMs: number) => number): QuotaMeter {
  let closesMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    count(nowMs) {
      if (nowMs >= closesMs) {
        closesMs = opensAt(nowMs) + perMs;
        used = 0;
      }
      const exceeded = used >= requests;
      if (!exceeded) used += 1;
      return { exceeded, remaining: requests - used, resetMs: closesMs };
    },
  };
}

/** A period is half open: a request leaves the window at the moment that is a period later. */
function slidingMeter({ requests, perMs }: SandboxQuota): QuotaMeter {
  const allowedMs: number[] = [];
  return {
    count(nowMs) {
      while ((allowedMs[0] ?? nowMs) <= nowMs - perMs) allowedMs.shift();
      const exceeded = allowedMs.length >= requests;
      if (!exceeded) allowedMs.push(nowMs);
      return { exceeded, remaining: requests - allowedMs.length, resetMs: (allowedMs[0] ?? nowMs) + perMs };
    },
  };
}

/** Counts in units of which a permit has `perMs` and a millisecond brings `requests`, so that nothing is ever rounded. */
function bucketMeter({ requests, perMs }: SandboxQuota): QuotaMeter {
  const capacity = requests * perMs;
  let units = capacity;
  let filledMs = Number.NEGATIVE_INFINITY;
  return {
    count(nowMs) {
      units = Math.min(capacity, units + (nowMs - filledMs) * requests);
      filledMs = nowMs;
      const exceeded = units < perMs;
      if (!exceeded) units -= perMs;
      const missing = perMs - (units % perMs);
      return {
        exceeded,
        remaining: Math.floor(units / perMs),
        resetMs: nowMs + Math.ceil(missing / requests),
      };
    },
  };
}
