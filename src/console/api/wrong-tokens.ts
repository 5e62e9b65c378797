import type { Clock } from '../../domain/clock.js';

/** Counts requests with wrong tokens by the address that they come from. */
export interface WrongTokens {
  /** Counts one more. True where there are too many: more than a caller with a valid token would send. */
  isTooMany(address: string): boolean;
}

/** A token can't be guessed: this bounds the cost of trying, and shows that a forgotten job still runs. */
const MAX_PER_ADDRESS = 20;
const WINDOW_MS = 60_000;
/** Some hundred kilobytes. */
const MAX_ADDRESSES = 5_000;

/** Counts in windows of a minute, in this process. A valid token is never counted, and so no program is locked out by another's mistake. */
export function wrongTokens(clock: Clock): WrongTokens {
  const counts = new Map<string, number>();
  let endsAtMs = 0;
  return {
    isTooMany(address) {
      const nowMs = clock.monotonicMs();
      if (nowMs >= endsAtMs || counts.size >= MAX_ADDRESSES) {
        counts.clear();
        endsAtMs = nowMs + WINDOW_MS;
      }
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      return count > MAX_PER_ADDRESS;
    },
  };
}
