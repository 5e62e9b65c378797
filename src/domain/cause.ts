/** Why a submission is `held`. */
export const HELD_CAUSES = [
  'learner-unknown',
  'out-of-order',
  'amended',
  'canary',
  'restored',
  'damaged',
] as const;

export type HeldCause = (typeof HELD_CAUSES)[number];

/** Why the answer to a request, or that there was none, moved a submission. */
export const ANSWER_CAUSES = [
  'learner-unknown',
  // A refusal of the record, for any other reason.
  'platform-refused',
  // Its path would lead elsewhere, so that it was not sent.
  'misdirected',
  'rate-limited',
  'platform-failed',
  // The environment can't be used before a person has acted, or doesn't answer as a platform does.
  'platform-unusable',
  // No byte was sent.
  'not-sent',
  'no-answer',
  // A 2xx that speaks of failure.
  'answer-unclear',
  // The process that sent it ended before an answer came.
  'owner-died',
  // The platform refused several submissions at once: without naming any, or for others that it named.
  'refused-together',
  'refused-for-others',
  // A 409: what it was to create is there, and is to be revived.
  'exists-already',
] as const;

export type AnswerCause = (typeof ANSWER_CAUSES)[number];

/**
 * Why a submission is where it is: the whole list. Code asks this and nothing else, above all not the words beside it. The
 * ledger's CHECKs and this list are compared by a test.
 */
export const CAUSES = [
  ...HELD_CAUSES,
  ...ANSWER_CAUSES.filter((cause) => cause !== 'learner-unknown'),
  'learner-accepted',
  'recheck',
  'rerun',
  'redrop',
  'put-back',
  'dismiss',
  'forgotten',
  'newer-revision',
  'corrected',
  'mapped',
  // By a ledger that this one, a backup, took the place of.
  'delivered-after-backup',
] as const;

export type Cause = (typeof CAUSES)[number];

/** How the next request for a waiting submission leaves: alone, or to revive what exists; null: as its operation has it. */
export const NEXT_DELIVERIES = ['alone', 'revive'] as const;

export type NextDelivery = (typeof NEXT_DELIVERIES)[number];

/** What an accepted submission met: nothing, what it creates, which was left as it is, or the same, made what its record says. */
export const ACCEPTED_AS = ['new', 'existed', 'revived'] as const;

export type AcceptedAs = (typeof ACCEPTED_AS)[number];
