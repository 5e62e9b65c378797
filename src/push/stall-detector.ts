import type { Clock } from '../domain/clock.js';

/** Fewer unanswered requests than these may be chance. */
const MAX_BY_CHANCE = 3;

/** How long a platform may take at least to answer; or twice as long as the slowest of its latest answers, where that is more. */
const MIN_STALL_MS = 5_000;

/** The number of latest answers that show how long the platform takes. */
const LATEST_ANSWERS = 20;

/**
 * Notices that a platform has stopped answering, before the deadlines of the requests under way pass. Requests to a hanging
 * platform stay in its sockets, and all count at once when it reads them.
 */
export function stallDetector(clock: Clock) {
  const tookMs: number[] = [];
  let underWay = 0;
  let unanswered = 0;
  let sinceMs = 0;
  return {
    /** A request has left. */
    began() {
      if (unanswered === 0) sinceMs = clock.monotonicMs();
      underWay += 1;
      unanswered += 1;
    },
    /** A request got an answer, whatever its status. */
    answered(ms: number) {
      underWay -= 1;
      unanswered = underWay;
      sinceMs = clock.monotonicMs();
      tookMs.push(ms);
      if (tookMs.length > LATEST_ANSWERS) tookMs.shift();
    },
    /** A request was abandoned. `sent` false: no byte of it left. */
    abandoned(sent: boolean) {
      underWay -= 1;
      if (!sent) unanswered = Math.max(0, unanswered - 1);
    },
    /** True where several requests in a row have waited for an answer longer than answers took lately. */
    isStalled() {
      const stallMs = Math.max(MIN_STALL_MS, 2 * Math.max(0, ...tookMs));
      return unanswered >= MAX_BY_CHANCE && clock.monotonicMs() - sinceMs > stallMs;
    },
  };
}
