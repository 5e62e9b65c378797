import type { AcceptedAs } from '../cause.js';
import { causeOf, type Outcome } from '../outcome.js';
import { eventOf, type State, type SubmissionEvent } from '../submission.js';
import type { CanaryRule } from './canary.js';
import { type Intent, type TransitionDetails, transitionBy } from './intent.js';

/** What came of a request, as far as it decides about its submissions. */
export interface AnswerMeaning {
  readonly outcome: Outcome;
  /** When the platform refuses several submissions at once: those that its refusal names. */
  readonly named?: ReadonlySet<number>;
  /** The request revived what existed already; or, to one that found that it exists, one that revives it may follow. */
  readonly revival?: 'done' | 'may-follow' | undefined;
}

/** The environment's policy for answers. */
export interface AnswerPolicy {
  readonly maxTries: number;
  readonly maxResends: number;
  readonly onUnknown: 'resend' | 'hold';
  /** Wait before a row is sent again that was sent so often in vain. */
  backOffMs(sent: number): number;
  /**
   * False while the environment has stopped working as a whole: then a passing fault says nothing about the record
   * and spends none of its tries. Where the record may have been written all the same, it spends a resend.
   */
  readonly spendTries: boolean;
  readonly canary: CanaryRule;
}

/** The attempt that an answer is to. */
export interface AnsweredAttempt {
  readonly attemptId: number;
  /** It was given up before. */
  readonly isLate: boolean;
  /** Only one submission was sent. */
  readonly isAlone: boolean;
}

/** A submission of an attempt as it stands when the answer comes. */
export interface Attempted {
  readonly id: number;
  readonly state: State;
  readonly tries: number;
  readonly resends: number;
  readonly environment: string;
  /** Hex; null where it is about nobody. */
  readonly learner: string | null;
  /** The latest attempt to send it. */
  readonly latestAttempt: number;
}

/**
 * Decides what an answer means for one of the submissions that were sent. An answer that comes after the attempt was given
 * up counts only when it says accepted. A refusal of several submissions counts for those that it names; the others wait
 * again, and where it names none each of them goes alone.
 * @returns a transition first, and what it means for the learner; nothing where it changes nothing.
 */
export function answered(
  submission: Attempted,
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

/** What was under way when its sender died was sent, or not, and nobody will ever know. */
export const OWNER_DIED: Outcome = {
  kind: 'unknown',
  cause: 'owner-died',
  reason: 'the process that sent it died',
};

function lateEvent(outcome: Outcome, { state }: Attempted): SubmissionEvent | null {
  return outcome.kind === 'accepted' && state !== 'accepted' ? 'accepted' : null;
}

/** An acceptance lifts a hold of the learner, a refusal for the learner's sake puts one up. */
function aboutLearner(outcome: Outcome, { id, environment, learner }: Attempted): Intent[] {
  if (learner === null) return [];
  if (outcome.kind === 'accepted') return [{ kind: 'lift-hold', environment, learner }];
  return outcome.kind === 'rejected' && outcome.cause === 'learner-unknown'
    ? [{ kind: 'hold-learner', environment, learner, submissionId: id }]
    : [];
}

function currentEvent(
  outcome: Outcome,
  submission: { readonly tries: number; readonly resends: number },
  policy: AnswerPolicy,
): SubmissionEvent {
  const isStopped = outcome.kind === 'stop' || (isPassing(outcome) && !policy.spendTries);
  if (isStopped) {
    if (!mayBeWritten(outcome)) return 'stopped';
    // The row isn't to blame; but what may have been written isn't written anew with every run.
    const mayGoAgain = outcome.kind !== 'unknown' || policy.onUnknown === 'resend';
    return mayGoAgain && submission.resends < policy.maxResends ? 'stopped' : 'doubted';
  }
  return eventOf(outcome, {
    triesSpent: submission.tries + 1,
    maxTries: policy.maxTries,
    resends: submission.resends,
    maxResends: policy.maxResends,
    onUnknown: policy.onUnknown,
  });
}

/** Counts, waits and flags that go with the event. */
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
    // A person's or a probe's leave to pass the guards was for this one delivery.
    ...(event === 'rejected' || event === 'exhausted' || event === 'doubted' ? { overrides: null } : {}),
  };
}

const FIRST_STOPPED_WAIT_MS = 30_000;
const LONGEST_STOPPED_WAIT_MS = 3_600_000;

/**
 * How long a row that may have been written waits before a platform that isn't known to work gets it again, so that its few
 * resends last for an outage of an hour: half a minute, then ten times as long. Where the platform works it doesn't wait.
 */
function stoppedWaitMs(resends: number): number {
  return Math.min(FIRST_STOPPED_WAIT_MS * 10 ** (resends - 1), LONGEST_STOPPED_WAIT_MS);
}

function isPassing({ kind }: Outcome): boolean {
  return kind === 'transient' || kind === 'unknown';
}

/** Whether the platform may have carried the request out although nothing says so. */
function mayBeWritten(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return true;
  return (outcome.kind === 'transient' || outcome.kind === 'stop') && outcome.mayBeWritten === true;
}

/** What an answer that accepts says about what was there before; of any other it says nothing. */
function howAccepted({ outcome, revival }: AnswerMeaning): AcceptedAs {
  if (revival === 'done') return 'revived';
  return outcome.kind === 'accepted' && outcome.existed ? 'existed' : 'new';
}
