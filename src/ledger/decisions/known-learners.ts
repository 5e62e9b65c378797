import { sql } from 'kysely';
import type { Correction } from '../../domain/learners/corrected-learners.js';
import { addRow, putRow } from '../store/by-key.js';
import { all, bytes, type Ledger, preparedQuery, query, reading } from '../store/query.js';
import { isOneOf, numberOfLearner } from '../submissions/subjects.js';

/** All corrected identifiers, without those of erased learners. */
export async function corrections(ledger: Ledger): Promise<Correction[]> {
  return (await linkedLearners(ledger)).filter(
    (link): link is Correction => link.old.id !== null && link.now.id !== null,
  );
}

/** The old and new learners of all corrections, by the old one's hash; `id` is null where it was erased. */
export async function linkedLearners(ledger: Ledger) {
  const rows = await all(ledger, LINKED({}));
  // Sorted here: SQLite would read all learners instead, in the order of their hashes.
  return rows
    .map(({ oldHash, oldType, oldId, newHash, newType, newId }) => ({
      old: { hash: oldHash.toString('hex'), type: oldType, id: oldId },
      now: { hash: newHash.toString('hex'), type: newType, id: newId },
    }))
    .sort((one, other) => (one.old.hash < other.old.hash ? -1 : 1));
}

const LINKED = preparedQuery(() =>
  query
    .selectFrom('correction as c')
    // A sum, so that the few corrections are read first, and not all learners.
    .innerJoin('learner as o', (join) => join.on('o.learner_id', '=', sql<number>`c.old_learner_id + 0`))
    .innerJoin('learner as n', 'n.learner_id', 'c.new_learner_id')
    .select(['o.hash as oldHash', 'o.type as oldType', 'o.identifier as oldId'])
    .select(['n.hash as newHash', 'n.type as newType', 'n.identifier as newId']),
);

/** Records a correction, which replaces an earlier one of the same identifier. Call it in a transaction. */
export async function saveCorrection(ledger: Ledger, { old, now }: Correction, decisionId: number) {
  const corrected = { new_learner_id: await numberOfLearner(ledger, now), decision_id: decisionId };
  await putRow(ledger, 'correction', { old_learner_id: await numberOfLearner(ledger, old) }, corrected);
}

/** Hashes of the forgotten learners; rows about them are not kept. */
export async function suppressedLearners(ledger: Ledger): Promise<ReadonlySet<string>> {
  return new Set((await all(ledger, SUPPRESSED({}))).map(({ hash }) => hash.toString('hex')));
}

const SUPPRESSED = preparedQuery(() => query.selectFrom('suppression').select('learner_hash as hash'));

/** Marks learners (hex hashes) as forgotten: rows about them are not kept from now on. Call it in a write transaction. */
export async function suppressLearners(ledger: Ledger, hashes: readonly string[], decisionId: number) {
  for (const hash of hashes) {
    await addRow(ledger, 'suppression', { learner_hash: bytes(hash), decision_id: decisionId });
  }
}

/** The corrected and forgotten learners. Personal. */
export type KnownLearners = Awaited<ReturnType<typeof knownLearners>>;

/** Reads the corrected and the forgotten learners. @param hashes learners (hex hashes) to look up as well. */
export function knownLearners(ledger: Ledger, hashes: readonly string[] = []) {
  const read = async (ledger: Ledger) => {
    const hasRows = sql<number>`exists (select 1 from submission s where s.learner_id = l.learner_id)`;
    // Built only where it is run: each small file reads the corrected and the forgotten alone.
    const named = () =>
      query
        .selectFrom('learner as l')
        .select(['l.hash', 'l.type', 'l.identifier as id', hasRows.as('hasRows')])
        .where(isOneOf('l.learner_id', hashes));
    const learners = hashes.length === 0 ? [] : await all(ledger, named());
    const withHex = learners.map(({ hash, ...learner }) => ({ ...learner, hash: hash.toString('hex') }));
    return {
      salt: ledger.salt,
      corrections: await corrections(ledger),
      suppressed: await suppressedLearners(ledger),
      /** Hashes of the requested learners with a submission, even in a drop that is being staged. */
      withRows: new Set(withHex.flatMap(({ hash, hasRows }) => (hasRows === 1 ? [hash] : []))),
      /** The requested learners whose identifiers are kept, by their hashes. */
      named: new Map(
        withHex.flatMap(({ type, id, hash }) => (id === null ? [] : [[hash, { type, id, hash }] as const])),
      ),
    };
  };
  // The forgotten come last, so that without learners to look up no snapshot is needed, which takes longer than the reads.
  return hashes.length === 0 ? read(ledger) : reading(ledger, read);
}
