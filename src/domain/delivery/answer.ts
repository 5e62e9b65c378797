import type { AcceptedAs } from '../cause.js';
import { causeOf, type Outcome } from '../outcome.js';
import type { State, SubmissionEvent } from '../submission.js';
import type { CanaryRule } from './canary.js';
import { type Intent, type TransitionDetails, transitionBy } from './intent.js';

/** The result of a request, as far as it decides about the request's submissions. */
export interface AnswerMeaning {
  readonly outcome: Outcome;
  /** The submissions that a refusal of several names. */
  readonly named?: ReadonlySet<number>;
  /** `done`: the request revived the existing record. `may-follow`: the record exists, and may be revived. */
  readonly revival?: 'done' | 'may-follow' | undefined;
}

export interface AnswerPolicy {
  readonly maxTries: number;
  readonly maxResends: number;
  readonly onUnknown: 'resend' | 'hold';
  /** How long a row waits before it is sent again, after so many requests in vain. */
  backOffMs(sent: number): number;
  /** False while the whole environment has stopped working: a fault then spends a resend at most. */
  readonly spendTries: boolean;
  readonly canary: CanaryRule;
}

export interface AnsweredAttempt {
  readonly attemptId: number;
  /** The attempt was abandoned before the answer came. */
  readonly isLate: boolean;
  readonly isAlone: boolean;
}

export interface AttemptedSubmission {
  readonly id: number;
  readonly state: State;
  readonly tries: number;
  readonly resends: number;
  readonly environment: string;
  /** null: about no learner. */
  readonly learner: number | null;
  readonly latestAttempt: number;
}

/**
 * An answer to an abandoned attempt counts only when it accepts. Of several submissions a refusal counts for those that it names,
 * and the others wait again; one that names none sends each alone. [] where the answer changes nothing.
 */
export function answered(
  submission: AttemptedSubmission,
  attempt: AnsweredAttempt,
  answer: AnswerMeaning,
  policy: AnswerPolicy,
): Intent[] {
  const { outcome } = answer;
  const isCurrent =
    !attempt.isLate && submission.state === 'sending' && submission.latestAttempt === attempt.attemptId;
  if (isCurrent && !attempt.isAlone && outcome.kind === 'rejected' && !answer.named?.has(submission.id)) {
    const isForOthers = answer.named !== undefined && answer.named.size > 0;
    const why: TransitionDetails = isForOthers
      ? { cause: 'refused-for-others' }
      : { cause: 'refused-together', nextDelivery: 'alone' };
    return [transitionBy(submission, 'stopped', why)];
  }
  if (isCurrent && outcome.kind === 'rejected' && outcome.exists && answer.revival === 'may-follow') {
    return [transitionBy(submission, 'stopped', { cause: 'exists-already', nextDelivery: 'revive' })];
  }
  const event = isCurrent ? currentEvent(outcome, submission, policy) : lateEvent(outcome, submission);
  if (event === null) return [];
  const details = consequences(outcome, event, submission, policy);
  return [
    transitionBy(submission, event, { ...details, acceptedAs: howAccepted(answer) }),
    ...aboutLearner(outcome, submission),
  ];
}

/** The platform has it or not, and no answer will ever say which. */
export const OWNER_DIED: Outcome = {
  kind: 'unknown',
  cause: 'owner-died',
  reason: 'the process that sent it died',
};

function lateEvent(outcome: Outcome, { state }: AttemptedSubmission): SubmissionEvent | null {
  return outcome.kind === 'accepted' && state !== 'accepted' ? 'accepted' : null;
}

/** An acceptance lifts the learner's hold; a refusal of the learner places one. */
function aboutLearner(outcome: Outcome, { id, environment, learner }: AttemptedSubmission): Intent[] {
  if (learner === null) return [];
  if (outcome.kind === 'accepted') return [{ kind: 'lift-hold', environment, learner }];
  return outcome.kind === 'rejected' && outcome.cause === 'learner-unknown'
    ? [{ kind: 'hold-learner', environment, learner, submissionId: id }]
    : [];
}

/** A 429 and a stop spend no try, a transient fault spends one; an unknown outcome is resent within its bound. */
function currentEvent(
  outcome: Outcome,
  { tries, resends }: { readonly tries: number; readonly resends: number },
  policy: AnswerPolicy,
): SubmissionEvent {
  const isHeld = outcome.kind === 'unknown' && policy.onUnknown === 'hold';
  const mayGoAgain = !isHeld && resends < policy.maxResends;
  if (outcome.kind === 'stop' || (isPassing(outcome) && !policy.spendTries)) {
    // The row isn't to blame. But a record that may have been written isn't written again by every run.
    return mayGoAgain || !mayBeWritten(outcome) ? 'stopped' : 'doubted';
  }
  if (outcome.kind === 'transient') return tries + 1 < policy.maxTries ? 'retried' : 'exhausted';
  if (outcome.kind === 'unknown') return mayGoAgain ? 'resent' : 'doubted';
  return outcome.kind;
}

function consequences(
  outcome: Outcome,
  event: SubmissionEvent,
  { tries, resends }: { readonly tries: number; readonly resends: number },
  policy: AnswerPolicy,
): TransitionDetails {
  const again = event === 'retried' || event === 'resent' || event === 'stopped';
  const isRepeat = again && mayBeWritten(outcome);
  const retryAfterMs = outcome.kind === 'transient' ? (outcome.retryAfterMs ?? 0) : 0;
  const stoppedMs = isRepeat ? stoppedWaitMs(resends + 1) : 0;
  const backOffMs = event === 'stopped' ? stoppedMs : policy.backOffMs(tries + resends + 1);
  return {
    cause: causeOf(outcome),
    platformCode: 'code' in outcome ? outcome.code : null,
    words: 'reason' in outcome ? outcome.reason : null,
    waitMs: again ? Math.max(backOffMs, retryAfterMs) : 0,
    spent: {
      tries: event === 'retried' || event === 'exhausted' ? 1 : 0,
      resends: event === 'resent' || (event === 'stopped' && isRepeat) ? 1 : 0,
      repeats: isRepeat ? 1 : 0,
    },
    // A person or a probe could pass the guards for this one delivery only.
    ...(event === 'rejected' || event === 'exhausted' || event === 'doubted' ? { overrides: null } : {}),
  };
}

const FIRST_STOPPED_WAIT_MS = 30_000;
const LONGEST_STOPPED_WAIT_MS = 3_600_000;

/** Half a minute, then ten times as long, so that the few resends last for an outage of an hour. */
function stoppedWaitMs(resends: number): number {
  return Math.min(FIRST_STOPPED_WAIT_MS * 10 ** (resends - 1), LONGEST_STOPPED_WAIT_MS);
}

function isPassing({ kind }: Outcome): boolean {
  return kind === 'transient' || kind === 'unknown';
}

/** True where the platform may have carried out the request without a success answer. */
function mayBeWritten(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return true;
  return (outcome.kind === 'transient' || outcome.kind === 'stop') && outcome.mayBeWritten === true;
}

/** What an accepting answer says about the record before the request; meaningless for any other answer. */
function howAccepted({ outcome, revival }: AnswerMeaning): AcceptedAs {
  if (revival === 'done') return 'revived';
  return outcome.kind === 'accepted' && outcome.existed ? 'existed' : 'new';
}
