import { msFromIso } from '../clock.js';
import type { SubmissionEvent } from '../submission.js';

/** The transition that made a submission wait. */
export interface WaitStart {
  readonly event: SubmissionEvent;
  /** ISO time. */
  readonly at: string;
}

export interface WaitFacts {
  readonly nowMs: number;
  /** The platform is known to work: a wait for the platform ends. */
  readonly isKnownToWork: boolean;
}

/** A correction of the clock by less makes a wait longer by no more than that. */
const CLOCK_STEP_MS = 5_000;

/**
 * Until when, by the wall clock, a submission waits; null: no longer. `isStopped`: only until the platform works again.
 * @param latest the last change of state; null: there was none.
 */
export function remainingWait(
  nextAttemptAt: string | null,
  latest: WaitStart | null,
  { nowMs, isKnownToWork }: WaitFacts,
) {
  if (nextAttemptAt === null) return null;
  const untilMs = msFromIso(nextAttemptAt);
  if (untilMs <= nowMs) return null;
  // The wait was set at a time still to come: the clock was set back since.
  if (latest !== null && msFromIso(latest.at) > nowMs + CLOCK_STEP_MS) return null;
  const isStopped = latest?.event === 'stopped';
  return isKnownToWork && isStopped ? null : { untilMs, isStopped };
}
