import { isoFromMs, msFromIso } from '../../domain/clock.js';

/** After when a run checks an unknown learner again; null: none does. @param policy undefined: the environment is gone. */
export function nextRecheck(
  hold: { readonly rechecks: number; readonly checkedAt: string } | null,
  policy: { readonly afterMs: number; readonly times: number } | undefined,
): string | null {
  if (hold === null || policy === undefined || hold.rechecks >= policy.times) return null;
  return isoFromMs(msFromIso(hold.checkedAt) + policy.afterMs);
}
