import { sql } from 'kysely';
import type { Learner } from '../../domain/learner.js';
import { all, bytes, change, type Ledger, query } from '../store/query.js';

/** An identifier that is wrong or no longer in use, and the one that counts instead. Personal. */
export interface Correction {
  readonly old: Identified;
  /** This identifier may have been corrected itself: see `correctedLearners`. */
  readonly now: Identified;
}

/** A learner with the hash of the identifier. */
export interface Identified extends Learner {
  readonly hash: string;
}

/** All corrections, without those of erased learners. */
export async function corrections(ledger: Ledger): Promise<Correction[]> {
  const rows = await all(
    ledger,
    query
      .selectFrom('correction')
      .select([
        sql<string>`lower(hex(old_learner))`.as('oldHash'),
        'old_type as oldType',
        sql<string>`old_identifier`.as('oldId'),
        sql<string>`lower(hex(new_learner))`.as('newHash'),
        'new_type as newType',
        sql<string>`new_identifier`.as('newId'),
      ])
      .where('old_identifier', 'is not', null)
      .where('new_identifier', 'is not', null)
      .orderBy('old_learner'),
  );
  return rows.map(({ oldHash, oldType, oldId, newHash, newType, newId }) => ({
    old: { hash: oldHash, type: oldType, id: oldId },
    now: { hash: newHash, type: newType, id: newId },
  }));
}

/** Keeps a correction, which replaces an earlier one of the same identifier. Call in a transaction. */
export async function saveCorrection(
  ledger: Ledger,
  { old, now }: Correction,
  decisionId: number,
): Promise<void> {
  const corrected = {
    old_type: old.type,
    old_identifier: old.id,
    new_learner: bytes(now.hash),
    new_type: now.type,
    new_identifier: now.id,
    decision_id: decisionId,
  };
  await change(
    ledger,
    query
      .insertInto('correction')
      .values({ old_learner: bytes(old.hash), ...corrected })
      .onConflict((conflict) => conflict.column('old_learner').doUpdateSet(corrected)),
  );
}
