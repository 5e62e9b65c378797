import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import type { State } from '../domain/submission.js';
import { stagingDrop } from './drops.js';
import { LEARNER_DIGITS } from './keys.js';
import { all, beginsLike, bytes, change, first, type Ledger, query } from './query.js';
import { move } from './transitions.js';

/**
 * True while the platform is taken not to know the learner (hex hash; null: about nobody), but for the row that is
 * to ask again.
 */
export function isOnHold(
  ledger: Ledger,
  environment: string,
  learner: string | null,
  submissionId: number,
): boolean {
  if (learner === null) return false;
  const hold = first(
    ledger,
    query.selectFrom('learner_hold').select('probe_id').where(ofLearner(environment, learner)),
  );
  return hold !== undefined && hold.probe_id !== submissionId;
}

/** How often a learner whom the platform didn't know was asked about again, and when last; null: there is no hold. */
export function holdOf(
  ledger: Ledger,
  environment: string,
  learner: string,
): { readonly rechecks: number; readonly askedAt: string } | null {
  const hold = first(
    ledger,
    query
      .selectFrom('learner_hold')
      .select(['rechecks', 'asked_at as askedAt'])
      .where(ofLearner(environment, learner)),
  );
  return hold ?? null;
}

/**
 * The platform refused the learner: other rows about them wait until one is accepted. Those that a person has just let
 * pass all guards are held as well, since that was before this answer; they keep the leave. Call in a transaction.
 */
export function holdLearner(
  ledger: Ledger,
  environment: string,
  learner: string,
  submissionId: number,
  runId: number,
): void {
  const asked_at = isoFromMs(ledger.clock.nowMs());
  const refused = { asked_at, submission_id: submissionId, probe_id: null };
  change(
    ledger,
    query
      .insertInto('learner_hold')
      .values({ environment, learner: bytes(learner), since_at: asked_at, ...refused })
      .onConflict((conflict) => conflict.columns(['environment', 'learner']).doUpdateSet(refused)),
  );
  const letPass = all(
    ledger,
    rowsOf(ledger, environment, learner)
      .where(sql<boolean>`+s.state = 'waiting'`)
      .where('s.pass', '=', 'all'),
  );
  for (const row of letPass) {
    move(ledger, row, 'guarded', { cause: 'learner-unknown', runId });
  }
}

/**
 * The platform accepted something about the learner: the hold ends, and what was held or refused for the learner's
 * sake waits again. Call in a transaction.
 */
export function liftHold(ledger: Ledger, environment: string, learner: string, runId: number): void {
  if (!endHold(ledger, environment, learner)) return;
  for (const row of rowsBehindHold(ledger, environment, learner)) {
    move(ledger, row, 'released', { cause: 'learner-accepted', runId });
  }
}

/** Forgets that the learner was refused. Returns whether there was a hold. */
export function endHold(ledger: Ledger, environment: string, learner: string): boolean {
  return change(ledger, query.deleteFrom('learner_hold').where(ofLearner(environment, learner))).changes > 0;
}

/** The learner's rows that are held or were refused because the platform doesn't know the learner, oldest first. */
export function rowsBehindHold(ledger: Ledger, environment: string, learner: string) {
  return all(
    ledger,
    rowsOf(ledger, environment, learner)
      .where(sql<boolean>`+s.state in ('held', 'rejected')`)
      .where('s.cause', '=', 'learner-unknown'),
  );
}

/** Condition on `learner_hold`. */
export function ofLearner(environment: string, learner: string) {
  return sql<boolean>`environment = ${environment} and learner = unhex(${learner})`;
}

/**
 * The learner's published submissions. A condition on their state must not be served by an index of states, since many
 * other learners' rows may be in it too: write it with a plus.
 */
function rowsOf(ledger: Ledger, environment: string, learner: string) {
  return query
    .selectFrom('submission as s')
    .select(['s.submission_id as id', sql<State>`s.state`.as('state')])
    .where(beginsLike('s.key', bytes(learner), LEARNER_DIGITS))
    .where('s.environment', '=', environment)
    .where('s.learner', '=', bytes(learner))
    .where('s.drop_id', '<>', stagingDrop(ledger) ?? 0)
    .orderBy('s.occurred_at')
    .orderBy('s.submission_id');
}
