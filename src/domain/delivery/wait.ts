import { msFromIso } from '../clock.js';
import type { SubmissionEvent } from '../submission.js';

/** The transition that made a submission wait. */
export interface WaitSet {
  readonly event: SubmissionEvent;
  /** ISO time. */
  readonly at: string;
}

export interface WaitFacts {
  readonly nowMs: number;
  /** The platform is known to work: a wait for the platform ends. */
  readonly isKnownToWork: boolean;
}

export interface Wait {
  /** Wall-clock time. */
  readonly untilMs: number;
  /** The submission waits only until the platform works again. */
  readonly isStopped: boolean;
}

/** A correction of the clock by less makes a wait longer by no more than that. */
const CLOCK_STEP_MS = 5_000;

/** @param latest the last change of state; null: there was none. @returns null: no longer. */
export function waitLeft(
  nextAttemptAt: string | null,
  latest: WaitSet | null,
  facts: WaitFacts,
): Wait | null {
  if (nextAttemptAt === null) return null;
  const { nowMs, isKnownToWork } = facts;
  const untilMs = msFromIso(nextAttemptAt);
  if (untilMs <= nowMs) return null;
  // The wait was set at a time still to come: the clock was set back since.
  if (latest !== null && msFromIso(latest.at) > nowMs + CLOCK_STEP_MS) return null;
  const isStopped = latest?.event === 'stopped';
  return isKnownToWork && isStopped ? null : { untilMs, isStopped };
}
