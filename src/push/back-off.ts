/** How long to wait between tries of one row. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * The wait in milliseconds after the given number of spent tries. It doubles with each try, and is spread by up to a
 * quarter either way, so that rows that failed together don't come back together.
 * @param random a number from 0 to 1.
 */
export function backOffMs(policy: BackOff, tries: number, random: number): number {
  const doubled = policy.firstMs * 2 ** Math.min(Math.max(tries, 1) - 1, 30);
  return Math.round(Math.min(doubled, policy.longestMs) * (0.75 + random / 2));
}
