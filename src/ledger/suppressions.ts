import { sql } from 'kysely';
import { all, type Ledger, query } from './query.js';

/** Hashes of the learners who were forgotten; rows about them are not kept. */
export function suppressedLearners(ledger: Ledger): ReadonlySet<string> {
  const forgotten = all(
    ledger,
    query.selectFrom('suppression').select(sql<string>`lower(hex(learner))`.as('learner')),
  );
  return new Set(forgotten.map(({ learner }) => learner));
}
