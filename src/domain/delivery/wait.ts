import { msFromIso } from '../clock.js';
import type { SubmissionEvent } from '../submission.js';

/** How a submission that waits came to wait. */
export interface WaitSet {
  readonly event: SubmissionEvent;
  /** ISO time. */
  readonly at: string;
}

/** What else says whether a wait counts. */
export interface WaitFacts {
  readonly nowMs: number;
  /** A wait that ends further off than this comes from a clock that was set back since. */
  readonly longestBackOffMs: number;
  /** The platform is known to work: what was stopped for its sake waits no longer. */
  readonly isKnownToWork: boolean;
}

/** A wait that isn't over. */
export interface Wait {
  /** Wall-clock time of its end. */
  readonly untilMs: number;
  /** It waits for the platform's sake alone. */
  readonly isStopped: boolean;
}

/** A correction of the clock by less makes a wait longer by no more than that. */
const CLOCK_STEP_MS = 5_000;

/**
 * What of its wait a submission has still before it; null: nothing.
 * @param nextAttemptAt ISO time, null where it doesn't wait for any.
 * @param latest how it last changed its state; null: it never did.
 */
export function waitLeft(
  nextAttemptAt: string | null,
  latest: WaitSet | null,
  facts: WaitFacts,
): Wait | null {
  if (nextAttemptAt === null) return null;
  const { nowMs, longestBackOffMs, isKnownToWork } = facts;
  const untilMs = msFromIso(nextAttemptAt);
  if (untilMs <= nowMs || untilMs > nowMs + longestBackOffMs) return null;
  // It was set at a time that has not come yet: the clock was set back since.
  if (latest !== null && msFromIso(latest.at) > nowMs + CLOCK_STEP_MS) return null;
  const isStopped = latest?.event === 'stopped';
  return isKnownToWork && isStopped ? null : { untilMs, isStopped };
}
