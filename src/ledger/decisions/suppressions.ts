import { all, bytes, change, type Ledger, query } from '../store/query.js';

/** Hashes of the learners who were forgotten; rows about them are not kept. */
export async function suppressedLearners(ledger: Ledger): Promise<ReadonlySet<string>> {
  const forgotten = await all(ledger, query.selectFrom('suppression').select('learner_hash as hash'));
  return new Set(forgotten.map(({ hash }) => hash.toString('hex')));
}

/** From now on rows about these learners (hex hashes) are not kept. Call in a write transaction. */
export async function suppressLearners(
  ledger: Ledger,
  hashes: readonly string[],
  decisionId: number,
): Promise<void> {
  for (const hash of hashes) {
    await change(
      ledger,
      query
        .insertInto('suppression')
        .values({ learner_hash: bytes(hash), decision_id: decisionId })
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}
