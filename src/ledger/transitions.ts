import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import { type HeldReason, type State, type SubmissionEvent, settle } from '../domain/submission.js';
import { change, type Ledger, query } from './query.js';

/** What else changes with a submission's state, and why it changed. */
export interface TransitionDetails {
  /** A code or short text for people; never personal. */
  readonly reason?: string | null;
  readonly runId?: number | null;
  readonly attemptId?: number | null;
  readonly decisionId?: number | null;
  readonly heldReason?: HeldReason;
  readonly successorId?: number;
  readonly nextAttemptAt?: string | null;
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
  change(
    ledger,
    query.insertInto('transition').values({
      submission_id: submission.id,
      from_state: submission.state,
      event,
      to_state: to,
      reason: details.reason ?? null,
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
        held_reason: to === 'held' ? (details.heldReason ?? null) : null,
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
