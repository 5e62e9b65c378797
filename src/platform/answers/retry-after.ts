import { msFromIso } from '../../domain/clock.js';

/** A platform that names a longer wait than this is not believed. */
export const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** Publicly seen values are rounded and may be half a second short. */
const MARGIN_MS = 1000;

/**
 * How long a `Retry-After` asks to wait, in milliseconds with a second on top: seconds, or an HTTP date seen from
 * `nowMs`. null for none, for nonsense, for a date gone by, and for more than an hour.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = (header ?? '').trim();
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : untilDateMs(text, nowMs);
  return waitMs >= 0 && waitMs <= LONGEST_RETRY_AFTER_MS ? waitMs + MARGIN_MS : null;
}

/** NaN when the text is no HTTP date; the form without a zone is no longer written by anybody. */
function untilDateMs(text: string, nowMs: number): number {
  return /^[a-z]{3,9}, .* GMT$/i.test(text) ? msFromIso(text) - nowMs : Number.NaN;
}
