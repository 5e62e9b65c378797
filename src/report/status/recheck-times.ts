import { isoFromMs, msFromIso } from '../../domain/clock.js';

/** How an environment checks a learner again: how long after the last time, and how often. */
export interface Rechecks {
  readonly afterMs: number;
  readonly times: number;
}

/**
 * When Registrar checks an unknown learner again by itself: the next time and the last time. null where it checks no more. A
 * recheck happens in the first run after its time.
 */
export function recheckTimes(
  hold: { readonly rechecks: number; readonly askedAt: string } | null,
  policy: Rechecks | undefined,
): { readonly next: string; readonly last: string } | null {
  if (hold === null || policy === undefined || hold.rechecks >= policy.times) return null;
  const askedMs = msFromIso(hold.askedAt);
  const remaining = policy.times - hold.rechecks;
  return { next: isoFromMs(askedMs + policy.afterMs), last: isoFromMs(askedMs + policy.afterMs * remaining) };
}
