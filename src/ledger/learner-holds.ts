import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import { stagingDrop } from './drops.js';
import { LEARNER_DIGITS } from './keys.js';
import { all, beginsLike, bytes, change, first, type Ledger, query, writing } from './query.js';
import { move } from './transitions.js';

/** True while the platform is taken not to know the learner (hex hash; null: about nobody). */
export function isOnHold(ledger: Ledger, environment: string, learner: string | null): boolean {
  if (learner === null) return false;
  const hold = first(
    ledger,
    query.selectFrom('learner_hold').select('until_at').where(ofLearner(environment, learner)),
  );
  return hold !== undefined;
}

/** The platform refused the learner: other rows about them wait until the hold ends. Call in a transaction. */
export function holdLearner(
  ledger: Ledger,
  environment: string,
  learner: string,
  submissionId: number,
  forMs: number,
): void {
  const nowMs = ledger.clock.nowMs();
  const until_at = isoFromMs(nowMs + forMs);
  change(
    ledger,
    query
      .insertInto('learner_hold')
      .values({
        environment,
        learner: bytes(learner),
        since_at: isoFromMs(nowMs),
        until_at,
        submission_id: submissionId,
      })
      .onConflict((conflict) => conflict.columns(['environment', 'learner']).doUpdateSet({ until_at })),
  );
}

/** The platform accepted something about the learner: the hold ends and what it held waits again. */
export function liftHold(ledger: Ledger, environment: string, learner: string, runId: number): void {
  const lifted = change(ledger, query.deleteFrom('learner_hold').where(ofLearner(environment, learner)));
  if (lifted.changes === 0) return;
  for (const row of heldRows(ledger, environment, learner)) {
    move(ledger, row, 'released', { reason: 'learner accepted', runId });
  }
}

/**
 * Ends the waiting of holds that are over: one row of each such learner goes as a probe, past the guards; the others
 * follow when it is accepted. The hold is renewed for `forMs`, so that a refusal changes nothing.
 */
export function probeEndedHolds(ledger: Ledger, environment: string, runId: number, forMs: number): void {
  const nowMs = ledger.clock.nowMs();
  const ended = all(
    ledger,
    query
      .selectFrom('learner_hold')
      .select(sql<string>`lower(hex(learner))`.as('learner'))
      .where('environment', '=', environment)
      .where('until_at', '<=', isoFromMs(nowMs)),
  );
  for (const { learner } of ended) {
    writing(ledger, () => {
      const [probe] = heldRows(ledger, environment, learner);
      if (!probe) {
        change(ledger, query.deleteFrom('learner_hold').where(ofLearner(environment, learner)));
        return;
      }
      const until_at = isoFromMs(nowMs + forMs);
      change(
        ledger,
        query.updateTable('learner_hold').set({ until_at }).where(ofLearner(environment, learner)),
      );
      move(ledger, probe, 'released', { reason: 'recheck', runId, pass: 'all' });
    });
  }
}

function ofLearner(environment: string, learner: string) {
  return sql<boolean>`environment = ${environment} and learner = unhex(${learner})`;
}

function heldRows(ledger: Ledger, environment: string, learner: string) {
  return all(
    ledger,
    query
      .selectFrom('submission')
      .select(['submission_id as id', 'state'])
      .where(beginsLike('key', bytes(learner), LEARNER_DIGITS))
      .where(ofLearner(environment, learner))
      // Not by the index of all that needs attention: many other learners' rows may be held too.
      .where(sql<boolean>`+state = 'held'`)
      .where('held_reason', '=', 'learner-unknown')
      .where('drop_id', '<>', stagingDrop(ledger) ?? 0)
      .orderBy('submission_id'),
  );
}
