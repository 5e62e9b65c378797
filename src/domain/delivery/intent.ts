import type { AcceptedAs, Cause, NextDelivery } from '../cause.js';
import type { RowRef } from '../row-ref.js';
import type { State, SubmissionEvent } from '../submission.js';

/** A submission as it stands when something is decided about it. */
export interface Standing {
  readonly id: number;
  readonly state: State;
}

/** Somebody whom an environment's records are about. */
export interface LearnerRef {
  readonly environment: string;
  /** Hex. */
  readonly learner: string;
}

/**
 * A change that a decision asks for. The ledger carries intents out, in their order, in the transaction that has loaded the
 * facts of the decision. Which run, attempt or decision by a person is behind them is known to whoever carries them out.
 */
export type Intent =
  | Transition
  | HoldLearner
  | LiftHold
  | ProbeLearner
  | ResolveRow
  | CountRepeat
  | CountCanary
  | EndCanary;

/** A submission's transition by an event, and what changes with its state. */
export interface Transition extends TransitionDetails {
  readonly kind: 'transition';
  readonly submission: Standing;
  readonly event: SubmissionEvent;
}

/** What else changes with a submission's state, and why it changes. */
export interface TransitionDetails {
  /** Left out or null where the event says all. */
  readonly cause?: Cause | null;
  /** What the platform calls the cause; never personal. */
  readonly platformCode?: string | null;
  /** The platform's or the system's words for people, which no code reads; never personal. */
  readonly words?: string | null;
  /** The submission that takes its place. */
  readonly successorId?: number;
  /** How long it waits from now before it may be sent; left out or 0: not at all. */
  readonly waitMs?: number;
  /** How the next request leaves; left out: as its operation has it. */
  readonly nextDelivery?: NextDelivery;
  /** Of what is accepted; left out: new. */
  readonly acceptedAs?: AcceptedAs;
  /** null takes back the leave of one delivery to pass all guards, not what the source says for good. */
  readonly overrides?: 'all' | null;
  readonly priority?: 0 | 1;
  /** Added to the counts of the submission. */
  readonly spent?: { readonly tries?: number; readonly repeats?: number; readonly resends?: number };
  /** A person's decision gives back all patience. */
  readonly freshPatience?: boolean;
}

/** The platform doesn't know the learner; the submission is the one that it refused. What waits by leave is held too. */
export interface HoldLearner extends LearnerRef {
  readonly kind: 'hold-learner';
  readonly submissionId: number;
}

/** The hold of a learner ends, if there is one, and what it kept back waits again. */
export interface LiftHold extends LearnerRef {
  readonly kind: 'lift-hold';
}

/** One submission asks again about a learner on hold. */
export interface ProbeLearner extends LearnerRef {
  readonly kind: 'probe-learner';
  readonly submissionId: number;
}

/** An invalid row is dealt with: by a submission, or by the row of a correction that has become none. */
export interface ResolveRow {
  readonly kind: 'resolve-row';
  readonly row: RowRef;
  readonly by: { readonly submissionId: number } | { readonly row: RowRef };
}

/** What is sent next for the submission may be a second write of what another was sent for. */
export interface CountRepeat {
  readonly kind: 'count-repeat';
  readonly submissionId: number;
}

/** How the first answers to a drop's rows stand; a stopped drop's other rows are to be held. */
export interface CountCanary {
  readonly kind: 'count-canary';
  readonly dropId: number;
  readonly environment: string;
  readonly answered: number;
  readonly refused: number;
  readonly isStopped: boolean;
}

/** All rows of a stopped drop are held. */
export interface EndCanary {
  readonly kind: 'end-canary';
  readonly dropId: number;
}

/** The transition of a submission by an event. */
export function transitionBy(
  submission: Standing,
  event: SubmissionEvent,
  details: TransitionDetails = {},
): Transition {
  const { id, state } = submission;
  return { kind: 'transition', submission: { id, state }, event, ...details };
}
