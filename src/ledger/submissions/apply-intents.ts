import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { Intent, Transition } from '../../domain/delivery/intent.js';
import { heldWithLearner, releasedWithLearner } from '../../domain/delivery/learner-hold.js';
import { settle, UNSENT_STATES } from '../../domain/submission.js';
import { addRow, putRow, updateRows } from '../store/by-key.js';
import type { Ledger } from '../store/query.js';
import { liftHold, overriddenRows, placeHold, recordProbe, rowsOnHold } from './learner-holds.js';
import { countedState, enterState, leaveState, resolveInvalid } from './open-items.js';

/** The origin of a change, for the log of transitions; absent or null: none of the kind. */
export interface Origin {
  readonly runId?: number | null;
  readonly attemptId?: number | null;
  readonly decisionId?: number | null;
  /** Lists the moved rows with the decision; absent: they are already listed, or need no list. */
  readonly notesRows?: true;
}

/**
 * Applies intents in their order. After staging, this is the only way to change a submission. Call it in the write
 * transaction that loaded the facts for the intents.
 */
export async function applyIntents(ledger: Ledger, intents: readonly (Intent | null)[], origin: Origin) {
  for (const intent of intents) if (intent !== null) await applyIntent(ledger, intent, origin);
}

async function applyIntent(ledger: Ledger, intent: Intent, origin: Origin): Promise<void> {
  switch (intent.kind) {
    case 'transition':
      if (origin.notesRows && origin.decisionId != null) {
        const noted = { decision_id: origin.decisionId, submission_id: intent.submission.id };
        await addRow(ledger, 'decision_submission', noted);
      }
      return applyTransition(ledger, intent, origin);
    case 'hold-learner':
      await placeHold(ledger, intent, intent.submissionId);
      return applyIntents(ledger, heldWithLearner(await overriddenRows(ledger, intent)), origin);
    case 'lift-hold':
      if (!(await liftHold(ledger, intent))) return;
      return applyIntents(ledger, releasedWithLearner(await rowsOnHold(ledger, intent)), origin);
    case 'probe-learner':
      return recordProbe(ledger, intent, intent.submissionId);
    case 'resolve-row':
      if (origin.decisionId == null)
        throw new Error(`row ${intent.row.dropId}:${intent.row.line} can only be resolved by a decision`);
      return resolveInvalid(ledger, intent.row, origin.decisionId, intent.submissionId);
    case 'count-repeat':
      await updateRows(
        ledger,
        'submission',
        { submission_id: intent.submissionId },
        { repeats: sql`repeats + 1` },
      );
      return;
    case 'count-canary': {
      const { dropId, environment, answered, refused, isStopped } = intent;
      const counts = { answered, refused, stopped_at: isStopped ? isoFromMs(ledger.clock.nowMs()) : null };
      const canary = { environment, held_at: null, ...counts };
      return putRow(ledger, 'canary', { drop_id: dropId }, canary, counts);
    }
    case 'end-canary': {
      const held = { held_at: isoFromMs(ledger.clock.nowMs()) };
      await updateRows(ledger, 'canary', { drop_id: intent.dropId }, held);
    }
  }
}

/** Changes a submission's state and logs the transition. Throws where the event can't happen in this state, a bug. */
async function applyTransition(
  ledger: Ledger,
  { submission, event, ...details }: Transition,
  origin: Origin,
) {
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
      reason: details.words ?? null,
      at: isoFromMs(nowMs),
      run_id: origin.runId ?? null,
      attempt_id: origin.attemptId ?? null,
      decision_id: origin.decisionId ?? null,
    })
    .execute();
  const { tries = 0, repeats = 0, resends = 0 } = details.spent ?? {};
  const waits = to === 'waiting' && (details.waitMs ?? 0) > 0;
  const changes = {
    state: to,
    ...why,
    next_delivery: to === 'waiting' ? (details.nextDelivery ?? null) : null,
    accepted_as: to === 'accepted' ? (details.acceptedAs ?? 'new') : null,
    next_attempt_at: waits ? isoFromMs(nowMs + (details.waitMs ?? 0)) : null,
    tries: details.resetsTries ? 0 : sql<number>`tries + ${tries}`,
    repeats: sql<number>`repeats + ${repeats}`,
    resends: details.resetsTries ? 0 : sql<number>`resends + ${resends}`,
    ...(details.successorId === undefined ? {} : { successor_id: details.successorId }),
    ...(details.overrides === undefined
      ? {}
      : { overrides: details.overrides ?? sql<'amended' | null>`nullif(overrides, 'all')` }),
    ...(details.priority === undefined ? {} : { priority: details.priority }),
  };
  await updateRows(ledger, 'submission', { submission_id: submission.id }, changes);
  const counted = { ...row, submissionId: submission.id };
  await leaveState(ledger, counted, countedState(row.state, row.cause, row.platformCode));
  await enterState(ledger, counted, countedState(to, why.cause, why.platform_code));
}

/** The states of submissions that may still be sent, for a list in SQL. */
export const unsentStates = sql.join(UNSENT_STATES.map((state) => sql.lit(state)));
