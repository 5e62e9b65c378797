import type { PlatformResponse } from './response.js';

/** Requests left in the period by an answer's headers, which are publicly known; null: no header says. */
export function requestsLeft({ headers }: Pick<PlatformResponse, 'headers'>): number | null {
  const header = headers['x-rate-limit-remaining'] ?? '';
  return /^\d{1,9}$/.test(header) ? Number(header) : null;
}

/** "Maximum 70 requests allowed per 1m." (specification §8); null for any other text. */
export function namedQuota(detail: string): { requests: number; per: string } | null {
  const match = /maximum (\d+) requests allowed per (\w+)/i.exec(detail);
  return match ? { requests: Number(match[1]), per: String(match[2]) } : null;
}

/** A platform that names a longer wait than this is not believed. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** Publicly seen values are rounded and may be half a second short. */
const MARGIN_MS = 1000;

/**
 * The wait of a `Retry-After` in seconds, in milliseconds, plus one second. null where it is missing, senseless, a date, or
 * more than an hour.
 */
export function retryAfterMs(header: string | undefined): number | null {
  const text = (header ?? '').trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : Number.NaN;
  return waitMs <= LONGEST_RETRY_AFTER_MS ? waitMs + MARGIN_MS : null;
}
