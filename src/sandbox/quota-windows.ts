import { isoFromMs } from '../domain/clock.js';
import { createQuotaMeter, type QuotaCount, type QuotaMeter, type SandboxQuota } from './quota-meter.js';

export type QuotaWindows = ReturnType<typeof createQuotaWindows>;

export function createQuotaWindows(quota: SandboxQuota) {
  const meters = new Map<string, QuotaMeter>();
  return {
    /** Counts one request of a client id, whatever its endpoint. */
    count(clientId: string, nowMs: number) {
      const meter = meters.get(clientId) ?? createQuotaMeter(quota);
      meters.set(clientId, meter);
      return meter.count(nowMs);
    },
    reset: () => meters.clear(),
  };
}

/** The rate-limit headers of every answer but 429: the period, the permits left, and when permits become free. */
export function quotaHeaders(quota: SandboxQuota, count: QuotaCount): Record<string, string> {
  return {
    'x-rate-limit-limit': periodText(quota.perMs),
    'x-rate-limit-remaining': String(count.remaining),
    // Publicly seen values have seven decimals.
    'x-rate-limit-reset': isoFromMs(count.resetMs).replace('Z', '0000Z'),
  };
}

/** The `Retry-After` of a 429: whole seconds, rounded, so that it may be half a second short. */
export function retryAfterSeconds(count: QuotaCount, nowMs: number): string {
  return String(Math.round((count.resetMs - nowMs) / 1000));
}

/** The sentence of specification §8. */
export function quotaDetail(quota: SandboxQuota): string {
  return `Maximum ${quota.requests} requests allowed per ${periodText(quota.perMs)}.`;
}

/** 1m, 2s, 1h, 250ms: the largest unit that divides the period. */
function periodText(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
