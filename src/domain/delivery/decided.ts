import type { Cause } from '../cause.js';
import { isUnsent, settle } from '../submission.js';
import { type Standing, type Transition, transitionBy } from './intent.js';

/** A submission that a person's decision is about, as it stands when the decision is carried out. */
export interface Decided extends Standing {
  /** Why it is where it is; null where its state says all. */
  readonly cause: Cause | null;
  /** HTTP status of the answer to its latest request; null: none came, or nothing was sent. */
  readonly lastStatus: number | null;
}

/** Sends a submission again because a person says so; null where there is nothing to send again. */
export function rerun(submission: Decided, cause: 'rerun' | 'redrop'): Transition | null {
  if (settle(submission.state, 'rerun') === null) return null;
  return transitionBy(submission, 'rerun', {
    cause,
    // It overrides the guard that held the row, once, and goes before a waiting million.
    overrides: 'all',
    priority: 1,
    freshPatience: true,
    // Sending it again may be a second write, and is counted as one.
    spent: { repeats: mayBeThere(submission) ? 1 : 0 },
  });
}

/** Gives up a submission because a person says so; null where it can't be given up any more. */
export function dismissed(submission: Standing): Transition | null {
  return settle(submission.state, 'dismissed') === null
    ? null
    : transitionBy(submission, 'dismissed', { cause: 'dismiss' });
}

/** Gives up a submission because whom it is about is to be forgotten; null where it would not be sent anyway. */
export function forgotten(submission: Standing): Transition | null {
  return isUnsent(submission.state) ? transitionBy(submission, 'dismissed', { cause: 'forgotten' }) : null;
}

/**
 * True when the platform may have what a submission delivers although it wasn't accepted: the last request got no answer, or
 * one of the passing faults that have a status (a refused connection has none), or a ledger may have sent it that this one,
 * a backup, took the place of. What was sent before that was counted when it was sent again.
 */
function mayBeThere({ state, cause, lastStatus }: Decided): boolean {
  if (state === 'held') return cause === 'restored';
  return state === 'in-doubt' || (state === 'failed' && lastStatus !== null);
}
