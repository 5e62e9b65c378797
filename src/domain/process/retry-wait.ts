/** Doubled for each further failure. */
const FIRST_RETRY_MS = 60_000;

const LONGEST_RETRY_MS = 3_600_000;

/** How long to wait before a notification or a result is sent again. @param tries how often it failed before. */
export function retryWaitMs(tries: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** tries);
}
