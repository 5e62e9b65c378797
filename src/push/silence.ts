import type { Clock } from '../domain/clock.js';

/**
 * Notices that a platform answers nothing any more, before the deadlines of the requests under way tell: what is sent
 * to one that stands still lies in its sockets and counts all at once when it reads on.
 */
export interface Silence {
  /** A request has left. */
  began(): void;
  /** Its answer came, whatever that said. */
  answered(tookMs: number): void;
  /** It was given up. `sent` false: no byte of it left. */
  givenUp(sent: boolean): void;
  /** Several requests in a row have got no answer for longer than answers took lately. */
  isSilent(): boolean;
}

/** Requests without an answer that may be chance. */
const MOST_BY_CHANCE = 3;

/** A platform may take so long to an answer, or twice as long as one of its latest. */
const LEAST_PATIENCE_MS = 5_000;

/** Answers that say how long the platform takes. */
const LATEST = 20;

export function silence(clock: Clock): Silence {
  const tookMs: number[] = [];
  let underWay = 0;
  let unanswered = 0;
  let sinceMs = 0;
  return {
    began() {
      if (unanswered === 0) sinceMs = clock.monotonicMs();
      underWay += 1;
      unanswered += 1;
    },
    answered(ms) {
      underWay -= 1;
      unanswered = underWay;
      sinceMs = clock.monotonicMs();
      tookMs.push(ms);
      if (tookMs.length > LATEST) tookMs.shift();
    },
    givenUp(sent) {
      underWay -= 1;
      if (!sent) unanswered = Math.max(0, unanswered - 1);
    },
    isSilent() {
      const patienceMs = Math.max(LEAST_PATIENCE_MS, 2 * Math.max(0, ...tookMs));
      return unanswered >= MOST_BY_CHANCE && clock.monotonicMs() - sinceMs > patienceMs;
    },
  };
}
