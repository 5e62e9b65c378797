/** What the platform allows one client id (specification §8). */
export interface QuotaRule {
  readonly requests: number;
  readonly perMs: number;
  /** Only for reruns and token calls. */
  readonly reserve: number;
  readonly pace: 'even' | 'burst';
}

/** The platform's clock may run slower by a quarter of a percent, fifty times what quartz clocks do. */
export function holdMs(rule: QuotaRule): number {
  return rule.perMs + Math.ceil(rule.perMs / 400);
}

/** The least lag that an even pace makes up for: as long as a commit of another process may take. */
const MIN_CATCH_UP_MS = 1_000;

/**
 * When the next request may start. A stall of a tenth of a period costs no throughput; after a longer time without
 * requests an even pace starts again, so that none ends in a burst.
 */
export function paced(nextStart: number, now: number, rule: QuotaRule): number {
  if (rule.pace === 'burst') return now;
  const lagMs = now - nextStart;
  return lagMs > Math.max(rule.perMs / 10, MIN_CATCH_UP_MS) ? now : nextStart;
}
