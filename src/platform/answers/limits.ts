import { msFromIso } from '../../domain/clock.js';
import type { PlatformResponse } from '../../domain/environment/platform-response.js';

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
const MAX_RETRY_AFTER_MS = 3_600_000;

/** Publicly seen values are rounded and may be half a second short. */
const MARGIN_MS = 1000;

/**
 * The wait of a `Retry-After`, in milliseconds, plus one second. The header holds seconds, or an HTTP date, which is compared
 * with the answer's own `Date`. null where it is missing or senseless, for a past date, and for more than an hour.
 */
export function retryAfterMs(headers: PlatformResponse['headers']): number | null {
  const text = (headers['retry-after'] ?? '').trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text)
    ? Math.ceil(Number(text) * 1000)
    : msFromHttpDate(text) - msFromHttpDate(headers.date);
  return waitMs >= 0 && waitMs <= MAX_RETRY_AFTER_MS ? waitMs + MARGIN_MS : null;
}

/** NaN for any other text. The form without a zone is obsolete and not read. */
function msFromHttpDate(text = ''): number {
  return /^[a-z]{3,9}, .* GMT$/i.test(text) ? msFromIso(text) : Number.NaN;
}
