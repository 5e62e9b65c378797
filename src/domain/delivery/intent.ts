import type { AcceptedAs, Cause, NextDelivery } from '../cause.js';
import type { RowRef } from '../row-ref.js';
import type { State, SubmissionEvent } from '../submission.js';

export interface SubmissionState {
  readonly id: number;
  readonly state: State;
}

export interface LearnerRef {
  readonly environment: string;
  readonly learner: number;
}

/** Carried out in their order, in the transaction that loaded the facts. */
export type Intent =
  | Transition
  /** The platform doesn't know the learner, and refused this submission. Waiting submissions that override all guards are held too. */
  | (LearnerRef & { readonly kind: 'hold-learner'; readonly submissionId: number })
  /** The learner's hold ends, if there is one, and the submissions that it held wait again. */
  | (LearnerRef & { readonly kind: 'lift-hold' })
  | (LearnerRef & { readonly kind: 'probe-learner'; readonly submissionId: number })
  /** An invalid row is resolved: by a submission, or because it is skipped (null). */
  | { readonly kind: 'resolve-row'; readonly row: RowRef; readonly submissionId: number | null }
  /** The next request may be a second write: another submission's request may have written the same record. */
  | { readonly kind: 'count-repeat'; readonly submissionId: number }
  | CountCanary
  /** All rows of a stopped drop are held. */
  | { readonly kind: 'end-canary'; readonly dropId: number };

/** A submission's transition by an event, with the other columns that change. */
export interface Transition extends TransitionDetails {
  readonly kind: 'transition';
  readonly submission: SubmissionState;
  readonly event: SubmissionEvent;
}

/** The columns that change with a submission's state, and the cause of the change. */
export interface TransitionDetails {
  /** Left out or null where the event says all. */
  readonly cause?: Cause | null;
  /** Never personal. */
  readonly platformCode?: string | null;
  /** The platform's or the system's words for people, which no code reads; never personal. */
  readonly words?: string | null;
  readonly successorId?: number;
  /** How long it waits from now before it may be sent; left out or 0: not at all. */
  readonly waitMs?: number;
  /** How the next request leaves; left out: as its operation has it. */
  readonly nextDelivery?: NextDelivery;
  /** Left out: new. */
  readonly acceptedAs?: AcceptedAs;
  /** null ends the permission of one delivery to pass all guards, but not an override by the source. */
  readonly overrides?: 'all' | null;
  readonly priority?: 0 | 1;
  /** Added to the counts of the submission. */
  readonly spent?: { readonly tries?: number; readonly repeats?: number; readonly resends?: number };
  /** Resets tries and resends, because a person decided. */
  readonly resetsTries?: boolean;
}

/** Of the first answers to a drop's rows; the other rows of a stopped drop are to be held. */
export interface CountCanary {
  readonly kind: 'count-canary';
  readonly dropId: number;
  readonly environment: string;
  readonly answered: number;
  readonly refused: number;
  readonly isStopped: boolean;
}

export function transitionBy(
  submission: SubmissionState,
  event: SubmissionEvent,
  details: TransitionDetails = {},
): Transition {
  const { id, state } = submission;
  return { kind: 'transition', submission: { id, state }, event, ...details };
}
