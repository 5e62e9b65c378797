import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { LearnerRef } from '../../domain/delivery/intent.js';
import { rechecked } from '../../domain/delivery/learner-hold.js';
import { wouldGo } from '../../domain/delivery/slot.js';
import type { State } from '../../domain/submission.js';
import { rowOf } from '../store/by-key.js';
import { pagesOf } from '../store/pages.js';
import { type Ledger, writing } from '../store/query.js';
import { applyIntents } from './apply-intents.js';
import { rowsOnHold } from './learner-holds.js';
import { slotsOf } from './slots.js';

export interface RecheckPolicy {
  readonly afterMs: number;
  /** The maximum number of rechecks of a learner; after them, only a rerun checks again. 0: none. */
  readonly times: number;
}

/** Learners per transaction: few enough that other writers don't wait long for the lock. */
const PAGE = 200;

export async function recheckLearners(
  ledger: Ledger,
  environment: string,
  policy: RecheckPolicy,
  runId: number,
): Promise<void> {
  const due = await learnersDue(ledger, environment, policy);
  for (const page of pagesOf(due, PAGE)) {
    await writing(ledger, async (ledger) => {
      for (const { learner } of page) await recheck(ledger, { environment, learner }, runId);
    });
  }
}

/** The learners on hold who are due for a recheck, by number. */
export function learnersDue(ledger: Ledger, environment: string, { afterMs, times }: RecheckPolicy) {
  const nowMs = ledger.clock.nowMs();
  // A time in the future was recorded before the clock was set back, and counts as due.
  const isRecent = sql<boolean>`(checked_at > ${isoFromMs(nowMs - afterMs)} and checked_at <= ${isoFromMs(nowMs + afterMs)})`;
  return ledger.db
    .selectFrom('learner_hold')
    .select('learner_id as learner')
    .where('environment', '=', environment)
    .where('rechecks', '<', times)
    .where(({ not }) => not(isRecent))
    .execute();
}

async function recheck(ledger: Ledger, who: LearnerRef, runId: number): Promise<void> {
  const rows = await rowsOnHold(ledger, who);
  const slots = await slotsOf(
    ledger,
    rows.map(({ id }) => id),
  );
  const heldRows = rows.map((row) => {
    const member = slots.get(row.id);
    // Without the hold: whether anything else would keep the row from being sent.
    return { ...row, wouldGo: member !== undefined && wouldGo({ ...member.slot, hold: null }, member.own) };
  });
  const probe = await probeState(ledger, who);
  await applyIntents(ledger, rechecked(who, probe, heldRows), { runId });
}

/** The state of the row of an earlier recheck; null: there was none since the last refusal. */
async function probeState(ledger: Ledger, { environment, learner }: LearnerRef): Promise<State | null> {
  const hold = await rowOf(ledger, 'learner_hold', { environment, learner_id: learner });
  if (hold === undefined || hold.probe_id === null) return null;
  return (await rowOf(ledger, 'submission', { submission_id: hold.probe_id }))?.state ?? null;
}
