import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import { wouldGo } from './claims.js';
import { endHold, ofLearner, rowsBehindHold } from './learner-holds.js';
import { all, change, first, type Ledger, query, writing } from './query.js';
import { move } from './transitions.js';

/** When and how often a learner whom the platform didn't know is asked about again. */
export interface RecheckPolicy {
  /** Between a refusal and the next recheck. */
  readonly afterMs: number;
  /** Most rechecks of one learner; then only a rerun by hand asks. 0: none. */
  readonly times: number;
}

/** Learners per transaction: another process that writes doesn't wait long for the lock. */
const PAGE = 200;

/**
 * Lets one row of each learner whose recheck is due ask again. The others follow when it is accepted (`liftHold`); a
 * refusal changes nothing but when the next recheck is due. The oldest row goes that no other guard would hold, which
 * is as a rule the one that was refused before, so that rechecks don't use up the learner's other rows.
 */
export function recheckLearners(
  ledger: Ledger,
  environment: string,
  policy: RecheckPolicy,
  runId: number,
): void {
  const due = all(
    ledger,
    query
      .selectFrom('learner_hold')
      .select(sql<string>`lower(hex(learner))`.as('learner'))
      .where('environment', '=', environment)
      .where('rechecks', '<', policy.times)
      .where(isDue(ledger, policy)),
  );
  for (let start = 0; start < due.length; start += PAGE) {
    writing(ledger, () => {
      for (const { learner } of due.slice(start, start + PAGE)) {
        recheck(ledger, environment, learner, runId);
      }
    });
  }
}

/** A time further ahead than any recheck comes from a clock that was set back since. */
function isDue(ledger: Ledger, { afterMs }: RecheckPolicy) {
  const nowMs = ledger.clock.nowMs();
  return sql<boolean>`not (asked_at > ${isoFromMs(nowMs - afterMs)} and asked_at <= ${isoFromMs(nowMs + afterMs)})`;
}

function recheck(ledger: Ledger, environment: string, learner: string, runId: number): void {
  if (isAsking(ledger, environment, learner)) return;
  const rows = rowsBehindHold(ledger, environment, learner);
  if (rows.length === 0) {
    // All were dismissed or replaced: the learner's next row asks by itself.
    endHold(ledger, environment, learner);
    return;
  }
  const probe = rows.find(({ id }) => wouldGo(ledger, id));
  if (!probe) return;
  change(
    ledger,
    query
      .updateTable('learner_hold')
      .set({
        asked_at: isoFromMs(ledger.clock.nowMs()),
        rechecks: sql<number>`rechecks + 1`,
        probe_id: probe.id,
      })
      .where(ofLearner(environment, learner)),
  );
  move(ledger, probe, 'released', { cause: 'recheck', runId });
}

/** True while the row of an earlier recheck has no answer yet. */
function isAsking(ledger: Ledger, environment: string, learner: string): boolean {
  const probe = first(
    ledger,
    query
      .selectFrom('learner_hold')
      .innerJoin('submission', 'submission.submission_id', 'learner_hold.probe_id')
      .select('submission.state')
      .where('learner_hold.environment', '=', environment)
      .where(sql<boolean>`learner_hold.learner = unhex(${learner})`),
  );
  return probe?.state === 'waiting' || probe?.state === 'sending';
}
