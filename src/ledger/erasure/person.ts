import { sql } from 'kysely';
import { grouped } from '../../domain/grouped.js';
import { connectedWith, type IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import { errorsOf } from '../../domain/operator-error.js';
import type { State } from '../../domain/submission.js';
import { mentionsOf } from '../../domain/text/mentions.js';
import { linkedLearners } from '../decisions/known-learners.js';
import { unfinishedDrops } from '../drops/drops.js';
import { addRow } from '../store/by-key.js';
import { isAmong } from '../store/dialect.js';
import { all, type Ledger, query } from '../store/query.js';
import { isOneOf } from '../submissions/subjects.js';

/** The data of a person in the ledger. */
export type Person = Awaited<ReturnType<typeof personOf>>;

/**
 * The person behind these learners: follows all corrections in both directions, including those of erased identifiers.
 * @param learners the learners that an identifier may mean, one for each type.
 */
export async function namedThrough(ledger: Ledger, learners: readonly IdentifiedLearner[]) {
  const links = await linkedLearners(ledger);
  const hashes = connectedWith(
    learners.map(({ hash }) => hash),
    links.map(({ old, now }) => [old.hash, now.hash]),
  );
  const named = [...learners, ...links.flatMap(({ old, now }) => [old, now])];
  const identifiers = named.flatMap(({ hash, id }) => (id !== null && hashes.includes(hash) ? [id] : []));
  return { hashes, identifiers: [...new Set(identifiers)].sort() };
}

/** Reads the data of a person; `lines`: the lines of each drop whose rows are about the person. */
export async function personOf(
  ledger: Ledger,
  { hashes, identifiers }: { readonly hashes: readonly string[]; readonly identifiers: readonly string[] },
) {
  const submissions = await ledger.db
    .selectFrom('submission')
    .select(['submission_id as submissionId', 'drop_id as dropId', 'line', 'state'])
    .where(isOneOf('learner_id', hashes))
    .orderBy('submission_id')
    .execute();
  const ids = submissions.map(({ submissionId }) => submissionId);
  const repeats = await ledger.db
    .selectFrom('row')
    .select(['drop_id as dropId', 'line'])
    .where(isAmong('submission_id', ids))
    .where('disposition', '=', sql.lit('duplicate'))
    .execute();
  const lines = new Map<number, Set<number>>();
  for (const { dropId, line } of [...submissions, ...repeats]) {
    lines.set(dropId, (lines.get(dropId) ?? new Set()).add(line));
  }
  return { hashes, mentions: mentionsOf(identifiers), lines, submissions };
}

/** Counts the submissions about the person by state; a state without any is absent. */
export function statesOf({ submissions }: Person): Readonly<Partial<Record<State, number>>> {
  const states = [...grouped(submissions, ({ state }) => state)];
  return Object.fromEntries(states.map(([state, own]) => [state, own.length]));
}

/** Throws OperatorError while a file is half staged or a row about the person is being sent: either would add data. */
export async function requireQuiet(ledger: Ledger, { submissions }: Person): Promise<void> {
  const isSending = submissions.some(({ state }) => state === 'sending');
  const isStaging = (await unfinishedDrops(ledger)).length > 0;
  if (!isSending && !isStaging) return;
  const message = isStaging ? 'a file is half staged' : 'rows about the person are being sent';
  const hint =
    'Use registrar run to finish the interrupted work, then forget again. A forget that has begun is finished with it.';
  throw errorsOf('forget a learner')('the ledger', message, hint);
}

/** The identifiers that an open forget searches for; []: unknown, as every text with them was erased. Personal. */
export async function identifiersOfForget(ledger: Ledger, decisionId: number): Promise<readonly string[]> {
  const stored = query
    .selectFrom('forget_identifier')
    .select('identifier')
    .where('decision_id', '=', decisionId);
  return (await all(ledger, stored.orderBy('identifier'))).map(({ identifier }) => identifier);
}

/** Records the identifiers for the process that carries out the forget, in the transaction that opens the decision. */
export async function storeIdentifiers(ledger: Ledger, decisionId: number, identifiers: readonly string[]) {
  for (const identifier of identifiers) {
    await addRow(ledger, 'forget_identifier', { decision_id: decisionId, identifier });
  }
}

/** Clears the identifiers after the search. The decision can't be closed before. */
export async function clearIdentifiers(ledger: Ledger, decisionId: number): Promise<void> {
  await ledger.db.deleteFrom('forget_identifier').where('decision_id', '=', decisionId).execute();
}
