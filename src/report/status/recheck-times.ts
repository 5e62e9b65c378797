import { isoFromMs, msFromIso } from '../../domain/clock.js';

/** How an environment asks again about a learner: so long after the last time, and how often. */
export interface Rechecks {
  readonly afterMs: number;
  readonly times: number;
}

/**
 * When Registrar asks again by itself about a learner whom the platform doesn't know, next and for the last time; null
 * where it doesn't any more. A recheck comes with the first run after its time.
 */
export function recheckTimes(
  hold: { readonly rechecks: number; readonly askedAt: string } | null,
  policy: Rechecks | undefined,
): { readonly next: string; readonly last: string } | null {
  if (hold === null || policy === undefined || hold.rechecks >= policy.times) return null;
  const askedMs = msFromIso(hold.askedAt);
  const left = policy.times - hold.rechecks;
  return { next: isoFromMs(askedMs + policy.afterMs), last: isoFromMs(askedMs + policy.afterMs * left) };
}
