import { isoFromMs, msFromIso } from '../../domain/clock.js';

/**
 * After when Registrar checks an unknown learner again by itself, in the first run that begins then; null: it checks no more.
 * @param policy how long after the last time it checks again, and how often; undefined: the environment is gone.
 */
export function nextRecheck(
  hold: { readonly rechecks: number; readonly askedAt: string } | null,
  policy: { readonly afterMs: number; readonly times: number } | undefined,
): string | null {
  if (hold === null || policy === undefined || hold.rechecks >= policy.times) return null;
  return isoFromMs(msFromIso(hold.askedAt) + policy.afterMs);
}
