import { isoFromMs } from '../domain/clock.js';

/** How many requests one client id may make in a period (specification §8). */
export interface SandboxQuota {
  readonly requests: number;
  readonly perMs: number;
}

/** What one request met in its client's window. */
export interface QuotaCount {
  readonly exceeded: boolean;
  readonly remaining: number;
  /** When the window closes; a request at that very moment opens the next. */
  readonly resetMs: number;
}

export interface QuotaWindows {
  /** Counts one request of a client id, whatever its endpoint. */
  count(clientId: string, nowMs: number): QuotaCount;
  reset(): void;
}

/** Fixed windows, one per client id, each opening at the first request after the one before has closed. */
export function createQuotaWindows(quota: SandboxQuota): QuotaWindows {
  const windows = new Map<string, { opensMs: number; used: number }>();
  return {
    count(clientId, nowMs) {
      let window = windows.get(clientId);
      if (window === undefined || nowMs >= window.opensMs + quota.perMs) {
        window = { opensMs: nowMs, used: 0 };
        windows.set(clientId, window);
      }
      window.used += 1;
      return {
        exceeded: window.used > quota.requests,
        remaining: Math.max(0, quota.requests - window.used),
        resetMs: window.opensMs + quota.perMs,
      };
    },
    reset: () => windows.clear(),
  };
}

/** The rate-limit headers of every answer but 429: the period, what is left, and when the window closes. */
export function quotaHeaders(quota: SandboxQuota, count: QuotaCount): Record<string, string> {
  return {
    'x-rate-limit-limit': periodText(quota.perMs),
    'x-rate-limit-remaining': String(count.remaining),
    // Publicly seen with seven decimals.
    'x-rate-limit-reset': isoFromMs(count.resetMs).replace('Z', '0000Z'),
  };
}

/** The `Retry-After` of a 429: whole seconds, rounded, so that it may be half a second short. */
export function retryAfterSeconds(count: QuotaCount, nowMs: number): string {
  return String(Math.round((count.resetMs - nowMs) / 1000));
}

/** The sentence of the specification §8. */
export function quotaDetail(quota: SandboxQuota): string {
  return `Maximum ${quota.requests} requests allowed per ${periodText(quota.perMs)}.`;
}

/** 1m, 2s, 1h, 250ms: the largest unit that divides the period. */
function periodText(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
