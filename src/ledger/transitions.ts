import { sql } from 'kysely';
import type { AcceptedAs, Cause, NextDelivery } from '../domain/cause.js';
import { isoFromMs } from '../domain/clock.js';
import { type State, type SubmissionEvent, settle } from '../domain/submission.js';
import { change, type Ledger, query } from './query.js';

/** What else changes with a submission's state, and why it changed. */
export interface TransitionDetails {
  /** Left out where the event says all. */
  readonly cause?: Cause | null;
  /** What the platform calls the cause; never personal. */
  readonly platformCode?: string | null;
  /** The platform's or the system's words for people, which no code reads; never personal. */
  readonly words?: string | null;
  readonly runId?: number | null;
  readonly attemptId?: number | null;
  readonly decisionId?: number | null;
  readonly successorId?: number;
  readonly nextAttemptAt?: string | null;
  /** How the next request leaves; left out: as its operation has it. */
  readonly nextDelivery?: NextDelivery;
  /** Of what is accepted; left out: new. */
  readonly acceptedAs?: AcceptedAs;
  /** null takes back the leave of one delivery to pass all guards, not what the source says for good. */
  readonly pass?: 'all' | null;
  readonly priority?: 0 | 1;
  /** Added to the counts of the submission. */
  readonly spent?: { readonly tries?: number; readonly repeats?: number; readonly resends?: number };
  /** A person's decision gives back all patience. */
  readonly freshPatience?: boolean;
}

/**
 * The only place that changes a submission's state: logs the transition and carries it out. Call it in a write
 * transaction. Throws when the event cannot happen in this state, which is a bug of the caller.
 * @returns the new state.
 */
export function move(
  ledger: Ledger,
  submission: { readonly id: number; readonly state: State },
  event: SubmissionEvent,
  details: TransitionDetails = {},
): State {
  const to = settle(submission.state, event);
  if (to === null)
    throw new Error(`submission ${submission.id}: ${event} cannot happen in ${submission.state}`);
  const why = { cause: details.cause ?? null, platform_code: details.platformCode ?? null };
  change(
    ledger,
    query.insertInto('transition').values({
      submission_id: submission.id,
      from_state: submission.state,
      event,
      to_state: to,
      ...why,
      words: details.words ?? null,
      at: isoFromMs(ledger.clock.nowMs()),
      run_id: details.runId ?? null,
      attempt_id: details.attemptId ?? null,
      decision_id: details.decisionId ?? null,
    }),
  );
  const { tries = 0, repeats = 0, resends = 0 } = details.spent ?? {};
  change(
    ledger,
    query
      .updateTable('submission')
      .set({
        state: to,
        ...why,
        next_delivery: to === 'waiting' ? (details.nextDelivery ?? null) : null,
        accepted_as: to === 'accepted' ? (details.acceptedAs ?? 'new') : null,
        next_attempt_at: to === 'waiting' ? (details.nextAttemptAt ?? null) : null,
        tries: details.freshPatience ? 0 : sql<number>`tries + ${tries}`,
        repeats: sql<number>`repeats + ${repeats}`,
        resends: details.freshPatience ? 0 : sql<number>`resends + ${resends}`,
        ...(details.successorId === undefined ? {} : { successor_id: details.successorId }),
        ...(details.pass === undefined
          ? {}
          : { pass: details.pass ?? sql<'amended' | null>`nullif(pass, 'all')` }),
        ...(details.priority === undefined ? {} : { priority: details.priority }),
      })
      .where('submission_id', '=', submission.id),
  );
  return to;
}
