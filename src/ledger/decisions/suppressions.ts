import { bytes, type Ledger } from '../store/query.js';

/** Hashes of the learners who were forgotten; rows about them are not kept. */
export async function suppressedLearners(ledger: Ledger): Promise<ReadonlySet<string>> {
  const forgotten = await ledger.db.selectFrom('suppression').select('learner_hash as hash').execute();
  return new Set(forgotten.map(({ hash }) => hash.toString('hex')));
}

/** From now on rows about these learners (hex hashes) are not kept. Call in a write transaction. */
export async function suppressLearners(
  ledger: Ledger,
  hashes: readonly string[],
  decisionId: number,
): Promise<void> {
  for (const hash of hashes) {
    await ledger.db
      .insertInto('suppression')
      .values({ learner_hash: bytes(hash), decision_id: decisionId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
