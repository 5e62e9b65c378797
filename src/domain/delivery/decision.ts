import type { Cause } from '../cause.js';
import { isUnsent, settle } from '../submission.js';
import { type SubmissionState, type Transition, transitionBy } from './intent.js';

/** A submission that a decision is about, at the moment the decision is carried out. */
export interface DecidedSubmission extends SubmissionState {
  /** null where its state says all. */
  readonly cause: Cause | null;
  /** Of the latest answer; null: no answer came, or no request was sent. */
  readonly lastStatus: number | null;
}

/** null where it can't be sent again. */
export function rerun(submission: DecidedSubmission, cause: 'rerun' | 'returned'): Transition | null {
  if (settle(submission.state, 'rerun') === null) return null;
  return transitionBy(submission, 'rerun', {
    cause,
    // The rerun overrides, once, the guard that held the row, and the row goes before a waiting million.
    overrides: 'all',
    priority: 1,
    resetsTries: true,
    // Sending it again may be a second write, and is counted as one.
    spent: { repeats: mayBeThere(submission) ? 1 : 0 },
  });
}

/** null where it can't be dismissed any more. */
export function dismissed(submission: SubmissionState): Transition | null {
  return settle(submission.state, 'dismissed') === null
    ? null
    : transitionBy(submission, 'dismissed', { cause: 'dismiss' });
}

/** null where it would not be sent anyway. */
export function forgotten(submission: SubmissionState): Transition | null {
  return isUnsent(submission.state) ? transitionBy(submission, 'dismissed', { cause: 'forgotten' }) : null;
}

/** What a restored ledger would send by itself, the replaced ledger may have delivered. */
export function heldAsRestored(own: SubmissionState): Transition[] {
  const held = transitionBy({ id: own.id, state: 'waiting' }, 'guarded', { cause: 'restored' });
  return own.state === 'waiting' ? [held] : [transitionBy(own, 'released', { cause: 'restored' }), held];
}

/**
 * The last request got no answer or a passing fault with a status, or the ledger that this one, a backup, replaced
 * may have sent it. Earlier requests were counted when it was sent again.
 */
function mayBeThere({ state, cause, lastStatus }: DecidedSubmission): boolean {
  if (state === 'held') return cause === 'restored';
  return state === 'in-doubt' || (state === 'failed' && lastStatus !== null);
}
