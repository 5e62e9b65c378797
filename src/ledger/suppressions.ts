import { sql } from 'kysely';
import { all, bytes, change, type Ledger, query } from './query.js';

/** Hashes of the learners who were forgotten; rows about them are not kept. */
export function suppressedLearners(ledger: Ledger): ReadonlySet<string> {
  const forgotten = all(
    ledger,
    query.selectFrom('suppression').select(sql<string>`lower(hex(learner))`.as('learner')),
  );
  return new Set(forgotten.map(({ learner }) => learner));
}

/** From now on rows about these learners (hex hashes) are not kept. Call in a write transaction. */
export function suppressLearners(ledger: Ledger, hashes: readonly string[], decisionId: number): void {
  for (const hash of hashes) {
    change(
      ledger,
      query
        .insertInto('suppression')
        .values({ learner: bytes(hash), decision_id: decisionId })
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}
