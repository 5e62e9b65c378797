import { all, change, type Ledger, query } from '../store/query.js';

/** By what the person of an open forget is looked for in texts and cells; []: all that has them is erased. Personal. */
export async function identifiersOfForget(ledger: Ledger, decisionId: number): Promise<readonly string[]> {
  return (
    await all(
      ledger,
      query
        .selectFrom('forget_identifier')
        .select('identifier')
        .where('decision_id', '=', decisionId)
        .orderBy('identifier'),
    )
  ).map(({ identifier }) => identifier);
}

/** Keeps them for whichever process carries the forget out. Call in the transaction that opens the decision. */
export async function keepIdentifiers(
  ledger: Ledger,
  decisionId: number,
  identifiers: readonly string[],
): Promise<void> {
  for (const identifier of identifiers) {
    await change(
      ledger,
      query
        .insertInto('forget_identifier')
        .values({ decision_id: decisionId, identifier })
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}

/** Clears them, once nothing is left to be looked for. The decision can't be closed before. */
export async function clearIdentifiers(ledger: Ledger, decisionId: number): Promise<void> {
  await change(ledger, query.deleteFrom('forget_identifier').where('decision_id', '=', decisionId));
}
