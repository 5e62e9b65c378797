import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { CountCanary, Intent } from '../../domain/delivery/intent.js';
import { heldWithLearner, releasedWithLearner } from '../../domain/delivery/learner-hold.js';
import type { Ledger } from '../store/query.js';
import { liftHold, overriddenRows, placeHold, recordProbe, rowsBehindHold } from './learner-holds.js';
import { resolveInvalid } from './open-items.js';
import { makeTransition, type Origin } from './transitions.js';

/**
 * Applies intents in their order. After staging, this is the only way to change a submission. Call it in the write
 * transaction that loaded the facts for the intents.
 */
export async function carryOut(
  ledger: Ledger,
  intents: readonly (Intent | null)[],
  origin: Origin,
): Promise<void> {
  for (const intent of intents) if (intent !== null) await carryOutOne(ledger, intent, origin);
}

async function carryOutOne(ledger: Ledger, intent: Intent, origin: Origin): Promise<void> {
  switch (intent.kind) {
    case 'transition':
      if (origin.notesRows && origin.decisionId != null)
        await noteRow(ledger, origin.decisionId, intent.submission.id);
      return makeTransition(ledger, intent, origin);
    case 'hold-learner':
      await placeHold(ledger, intent, intent.submissionId);
      return carryOut(ledger, heldWithLearner(await overriddenRows(ledger, intent)), origin);
    case 'lift-hold':
      if (!(await liftHold(ledger, intent))) return;
      return carryOut(ledger, releasedWithLearner(await rowsBehindHold(ledger, intent)), origin);
    case 'probe-learner':
      return recordProbe(ledger, intent, intent.submissionId);
    case 'resolve-row':
      if (origin.decisionId == null)
        throw new Error(`row ${intent.row.dropId}:${intent.row.line} can only be resolved by a decision`);
      return resolveInvalid(ledger, intent.row, origin.decisionId, intent.submissionId);
    case 'count-repeat':
      return countRepeat(ledger, intent.submissionId);
    case 'count-canary':
      return keepCanary(ledger, intent);
    case 'end-canary':
      return endCanary(ledger, intent.dropId);
  }
}

async function noteRow(ledger: Ledger, decisionId: number, submissionId: number): Promise<void> {
  await ledger.db
    .insertInto('decision_submission')
    .values({ decision_id: decisionId, submission_id: submissionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function countRepeat(ledger: Ledger, submissionId: number): Promise<void> {
  await ledger.db
    .updateTable('submission')
    .set({ repeats: sql<number>`repeats + 1` })
    .where('submission_id', '=', submissionId)
    .execute();
}

async function keepCanary(
  ledger: Ledger,
  { dropId, environment, answered, refused, isStopped }: CountCanary,
): Promise<void> {
  const counts = { answered, refused, stopped_at: isStopped ? isoFromMs(ledger.clock.nowMs()) : null };
  await ledger.db
    .insertInto('canary')
    .values({ drop_id: dropId, environment, held_at: null, ...counts })
    .onConflict((conflict) => conflict.column('drop_id').doUpdateSet(counts))
    .execute();
}

async function endCanary(ledger: Ledger, dropId: number): Promise<void> {
  await ledger.db
    .updateTable('canary')
    .set({ held_at: isoFromMs(ledger.clock.nowMs()) })
    .where('drop_id', '=', dropId)
    .execute();
}
