import type { Correction } from '../../domain/learners/corrected-learners.js';
import type { Ledger } from '../store/query.js';
import { numberOfLearner } from '../submissions/subjects.js';

/** All corrections, without those of erased learners. */
export async function corrections(ledger: Ledger): Promise<Correction[]> {
  const rows = await ledger.db
    .selectFrom('correction as c')
    .innerJoin('learner as o', 'o.learner_id', 'c.old_learner_id')
    .innerJoin('learner as n', 'n.learner_id', 'c.new_learner_id')
    .select(['o.hash as oldHash', 'o.type as oldType', 'o.identifier as oldId'])
    .select(['n.hash as newHash', 'n.type as newType', 'n.identifier as newId'])
    .orderBy('o.hash')
    .execute();
  return rows.flatMap(({ oldHash, oldType, oldId, newHash, newType, newId }) => {
    if (oldId === null || newId === null) return [];
    return [
      {
        old: { hash: oldHash.toString('hex'), type: oldType, id: oldId },
        now: { hash: newHash.toString('hex'), type: newType, id: newId },
      },
    ];
  });
}

/** Keeps a correction, which replaces an earlier one of the same identifier. Call in a transaction. */
export async function saveCorrection(
  ledger: Ledger,
  { old, now }: Correction,
  decisionId: number,
): Promise<void> {
  const corrected = { new_learner_id: await numberOfLearner(ledger, now), decision_id: decisionId };
  await ledger.db
    .insertInto('correction')
    .values({ old_learner_id: await numberOfLearner(ledger, old), ...corrected })
    .onConflict((conflict) => conflict.column('old_learner_id').doUpdateSet(corrected))
    .execute();
}
