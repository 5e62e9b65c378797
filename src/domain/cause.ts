export const HELD_CAUSES = [
  'learner-unknown',
  'out-of-order',
  'amended',
  'canary',
  'restored',
  'damaged',
] as const;

export type HeldCause = (typeof HELD_CAUSES)[number];

/** Why a submission changed state after its request: the answer, or its absence. */
export const ANSWER_CAUSES = [
  'learner-unknown',
  // A refusal of the record, for any other reason.
  'platform-refused',
  // The request's path would lead elsewhere, so the request was not sent.
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
  // A 409: the thing to create exists already, and is to be revived.
  'exists-already',
] as const;

export type AnswerCause = (typeof ANSWER_CAUSES)[number];

/** Why a submission is where it is. Code reads the cause alone; a test compares the ledger's CHECKs. */
export const CAUSES = [
  ...HELD_CAUSES,
  ...ANSWER_CAUSES.filter((cause) => cause !== 'learner-unknown'),
  'learner-accepted',
  'recheck',
  'rerun',
  'returned',
  'dismiss',
  'forgotten',
  'newer-revision',
  'corrected',
  'mapped',
] as const;

export type Cause = (typeof CAUSES)[number];

/** How a waiting submission leaves: alone, or to revive what exists; null: as its operation has it. */
export const NEXT_DELIVERIES = ['alone', 'revive'] as const;

export type NextDelivery = (typeof NEXT_DELIVERIES)[number];

/** What the platform had before. `existed`: the thing to create, unchanged; `revived`: the same, updated. */
export const ACCEPTED_AS = ['new', 'existed', 'revived'] as const;

export type AcceptedAs = (typeof ACCEPTED_AS)[number];
