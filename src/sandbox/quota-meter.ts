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

/** A meter for each client id. */
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
