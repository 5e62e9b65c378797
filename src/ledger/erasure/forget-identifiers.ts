import type { Ledger } from '../store/query.js';

/**
 * The identifiers that an open forget searches texts and cells for; []: they are unknown, because every text with them was
 * erased. Personal.
 */
export async function identifiersOfForget(ledger: Ledger, decisionId: number): Promise<readonly string[]> {
  return (
    await ledger.db
      .selectFrom('forget_identifier')
      .select('identifier')
      .where('decision_id', '=', decisionId)
      .orderBy('identifier')
      .execute()
  ).map(({ identifier }) => identifier);
}

/** Keeps the identifiers for whichever process carries out the forget. Call in the transaction that opens the decision. */
export async function keepIdentifiers(
  ledger: Ledger,
  decisionId: number,
  identifiers: readonly string[],
): Promise<void> {
  for (const identifier of identifiers) {
    await ledger.db
      .insertInto('forget_identifier')
      .values({ decision_id: decisionId, identifier })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Clears the identifiers once the search is over. The decision can't be closed before. */
export async function clearIdentifiers(ledger: Ledger, decisionId: number): Promise<void> {
  await ledger.db.deleteFrom('forget_identifier').where('decision_id', '=', decisionId).execute();
}
