import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { Transition } from '../../domain/delivery/intent.js';
import { settle, UNSENT_STATES } from '../../domain/submission.js';
import type { Ledger } from '../store/query.js';
import { moveStanding, standingOf } from './open-items.js';

/** The origin of a change, for the log of transitions; absent or null: none of the kind. */
export interface Origin {
  readonly runId?: number | null;
  readonly attemptId?: number | null;
  readonly decisionId?: number | null;
  /** Lists the moved rows with the decision; absent: they are already listed, or need no list. */
  readonly notesRows?: true;
}

/**
 * Changes a submission's state and logs the transition; no other function does. Call it in a write transaction.
 * Throws where the event can't happen in this state, which is a bug of the caller.
 */
export async function makeTransition(
  ledger: Ledger,
  { submission, event, ...details }: Omit<Transition, 'kind'>,
  origin: Origin,
): Promise<void> {
  const to = settle(submission.state, event);
  if (to === null)
    throw new Error(`submission ${submission.id}: ${event} cannot happen in ${submission.state}`);
  const row = await ledger.db
    .selectFrom('submission')
    .select(['drop_id as dropId', 'line', 'environment_id as environmentId', 'learner_id as learnerId'])
    .select(['state', 'cause', 'platform_code as platformCode'])
    .where('submission_id', '=', submission.id)
    .executeTakeFirst();
  if (row === undefined) throw new Error(`there is no submission ${submission.id}`);
  const why = { cause: details.cause ?? null, platform_code: details.platformCode ?? null };
  const nowMs = ledger.clock.nowMs();
  await ledger.db
    .insertInto('transition')
    .values({
      submission_id: submission.id,
      from_state: submission.state,
      event,
      to_state: to,
      ...why,
      words: details.words ?? null,
      at: isoFromMs(nowMs),
      run_id: origin.runId ?? null,
      attempt_id: origin.attemptId ?? null,
      decision_id: origin.decisionId ?? null,
    })
    .execute();
  const { tries = 0, repeats = 0, resends = 0 } = details.spent ?? {};
  const waits = to === 'waiting' && (details.waitMs ?? 0) > 0;
  await ledger.db
    .updateTable('submission')
    .set({
      state: to,
      ...why,
      next_delivery: to === 'waiting' ? (details.nextDelivery ?? null) : null,
      accepted_as: to === 'accepted' ? (details.acceptedAs ?? 'new') : null,
      next_attempt_at: waits ? isoFromMs(nowMs + (details.waitMs ?? 0)) : null,
      tries: details.freshPatience ? 0 : sql<number>`tries + ${tries}`,
      repeats: sql<number>`repeats + ${repeats}`,
      resends: details.freshPatience ? 0 : sql<number>`resends + ${resends}`,
      ...(details.successorId === undefined ? {} : { successor_id: details.successorId }),
      ...(details.overrides === undefined
        ? {}
        : { overrides: details.overrides ?? sql<'amended' | null>`nullif(overrides, 'all')` }),
      ...(details.priority === undefined ? {} : { priority: details.priority }),
    })
    .where('submission_id', '=', submission.id)
    .execute();
  await moveStanding(
    ledger,
    { ...row, submissionId: submission.id },
    standingOf(row.state, row.cause, row.platformCode),
    standingOf(to, why.cause, why.platform_code),
  );
}

/**
 * The states of submissions that may still be sent, for a list in SQL. As literals, for statements that are prepared
 * without Kysely.
 */
export const unsentStates = sql.join(UNSENT_STATES.map((state) => sql.lit(state)));
