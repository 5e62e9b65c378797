import { sql } from 'kysely';
import { erased, isKept } from '../store/personal.js';
import { change, type Ledger, query } from '../store/query.js';
import { erasing } from './compact.js';

/** Clears the identifiers of learners of whom no record is kept any more, and about whom no correction says anything. A transaction each step. */
export async function* purgeLearners(ledger: Ledger): AsyncGenerator<void> {
  const last = await ledger.db
    .selectFrom('learner')
    .select(({ fn }) => fn.max('learner_id').as('id'))
    .executeTakeFirst();
  for (let from = 0; from <= (last?.id ?? 0); from += LEARNERS_AT_ONCE) {
    await erasing(ledger, async (ledger) =>
      change(
        ledger,
        query
          .updateTable('learner')
          .set(erased('learner'))
          .where(isKept('learner'))
          .where('learner_id', '>=', from)
          .where('learner_id', '<', from + LEARNERS_AT_ONCE)
          .where(
            sql<boolean>`not exists (
              select 1 from submission s where s.learner_id = learner.learner_id and s.record is not null)`,
          )
          .where(
            sql<boolean>`not exists (
              select 1 from correction c where learner.learner_id in (c.old_learner_id, c.new_learner_id))`,
          ),
      ),
    );
    yield;
  }
}

/** Learners looked at in one transaction. */
const LEARNERS_AT_ONCE = 5_000;
