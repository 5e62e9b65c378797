import type { AnswerCause } from './cause.js';
import type { Fault } from './environment/fault.js';

/**
 * What a response, or its absence, means. Only `platform/classify` decides it; all other code reads `kind` and
 * `cause`. `code` is the platform's own code for the fault, else its status, without anything personal. `reason` is
 * for people. `fault` is what the outcome says about the environment as a whole.
 */
export type Outcome =
  /** 2xx, or 409 where the environment counts it so (`existed`). `platformId` is `data.id`. */
  | { readonly kind: 'accepted'; readonly platformId: string | null; readonly existed?: true }
  /** The platform would refuse this record again. `exists`: 409, the thing to create exists already. */
  | {
      readonly kind: 'rejected';
      readonly cause: 'platform-refused' | 'learner-unknown' | 'misdirected';
      readonly code?: string;
      readonly reason: string;
      readonly exists?: true;
    }
  /** 429: nothing is wrong with the record. `retryAfterMs` is null when the platform named no time. */
  | {
      readonly kind: 'throttled';
      readonly code?: string;
      readonly reason: string;
      readonly retryAfterMs: number | null;
      readonly quota: { readonly requests: number; readonly per: string } | null;
    }
  /** A fault that passes. `mayBeWritten`: a 5xx can come after the platform has stored the record. */
  | {
      readonly kind: 'transient';
      readonly code?: string;
      readonly reason: string;
      readonly retryAfterMs: number | null;
      readonly mayBeWritten: boolean;
      readonly fault?: Fault;
    }
  /** The request left, and no status came, or a 2xx that speaks of failure. */
  | {
      readonly kind: 'unknown';
      readonly cause: 'no-answer' | 'answer-unclear' | 'owner-died';
      readonly reason: string;
      readonly fault?: Fault;
    }
  /** A person has to act, or for `token` a new one. `mayBeWritten`: a 5xx, or a 2xx that isn't the platform's own. */
  | {
      readonly kind: 'stop';
      readonly code?: string;
      readonly reason: string;
      readonly stops: 'token' | 'operation' | 'environment';
      readonly mayBeWritten?: true;
      readonly fault?: Fault;
    };

/** null for an accepted one, where the event says all. */
export function causeOf(outcome: Outcome): AnswerCause | null {
  switch (outcome.kind) {
    case 'accepted':
      return null;
    case 'rejected':
    case 'unknown':
      return outcome.cause;
    case 'throttled':
      return 'rate-limited';
    case 'transient':
      return outcome.mayBeWritten ? 'platform-failed' : 'not-sent';
    case 'stop':
      return 'platform-unusable';
  }
}

export type OutcomeKind = Outcome['kind'];

export const OUTCOME_KINDS = ['accepted', 'rejected', 'throttled', 'transient', 'unknown', 'stop'] as const;
