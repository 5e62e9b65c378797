import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { LearnerRef, SubmissionState } from '../../domain/delivery/intent.js';
import type { State } from '../../domain/submission.js';
import { isStaged } from '../drops/drops.js';
import { putRow, updateRows } from '../store/by-key.js';
import { all, change, inEnvironment, type Ledger, query } from '../store/query.js';

export async function placeHold(ledger: Ledger, { environment, learner }: LearnerRef, submissionId: number) {
  const checked_at = isoFromMs(ledger.clock.nowMs());
  const refused = { checked_at, submission_id: submissionId, probe_id: null };
  const key = { environment, learner_id: learner };
  await putRow(ledger, 'learner_hold', key, { since_at: checked_at, ...refused }, refused);
}

/** Records that this submission probes whether the platform knows the learner. */
export async function recordProbe(
  ledger: Ledger,
  { environment, learner }: LearnerRef,
  submissionId: number,
): Promise<void> {
  const checked_at = isoFromMs(ledger.clock.nowMs());
  const probe = { checked_at, rechecks: sql`rechecks + 1`, probe_id: submissionId };
  await updateRows(ledger, 'learner_hold', { environment, learner_id: learner }, probe);
}

/** Ends the learner's hold. @returns false: there was none. */
export async function liftHold(ledger: Ledger, { environment, learner }: LearnerRef): Promise<boolean> {
  const hold = query.deleteFrom('learner_hold').where('environment', '=', environment);
  return (await change(ledger, hold.where('learner_id', '=', learner))) > 0;
}

/** The learner's waiting rows that a rerun has exempted from all guards. */
export async function overriddenRows(ledger: Ledger, who: LearnerRef): Promise<SubmissionState[]> {
  return all(ledger, rowsOf(who).where('s.state', '=', sql.lit('waiting')).where('s.overrides', '=', 'all'));
}

/** The learner's rows that are held or rejected because the platform doesn't know the learner, oldest first. */
export async function rowsOnHold(ledger: Ledger, who: LearnerRef): Promise<SubmissionState[]> {
  const isHeld = sql<boolean>`(s.state in ('held', 'rejected') and s.cause = 'learner-unknown')`;
  return all(ledger, rowsOf(who).where(isHeld));
}

function rowsOf({ environment, learner }: LearnerRef) {
  return query
    .selectFrom('submission as s')
    .select(['s.submission_id as id', sql<State>`s.state`.as('state')])
    .where('s.learner_id', '=', learner)
    .where(inEnvironment(environment))
    .where(isStaged('s.drop_id'))
    .orderBy('s.occurred_at')
    .orderBy('s.submission_id');
}
