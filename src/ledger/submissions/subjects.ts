import { type RawBuilder, sql } from 'kysely';
import type { IdentifiedLearner } from '../../domain/learners/corrected-learners.js';
import type { Learner } from '../../domain/learners/learner.js';
import { bytes, change, each, first, inEnvironment, type Ledger, query } from '../store/query.js';

/** The number of a learner, new or with its erased identifier restored. Call it in a transaction. */
export async function numberOfLearner(
  ledger: Ledger,
  { hash, type, id }: IdentifiedLearner,
): Promise<number> {
  const learner = query.selectFrom('learner').select('learner_id as number').where('hash', '=', bytes(hash));
  const added = sql`insert into learner (hash, type, identifier) values (${bytes(hash)}, ${type}, ${id})
    on conflict (hash) do update set identifier = excluded.identifier where learner.identifier is null`;
  await change(ledger, added);
  return (await first(ledger, learner))?.number as number;
}

/** Streams the learners whose identifier is kept, of records that the environment accepted; default: all. Personal. */
export async function* knownLearners(ledger: Ledger, environment?: string): AsyncGenerator<Learner> {
  const learners = query
    .selectFrom('learner as l')
    .select(['l.type', sql<string>`l.identifier`.as('id')])
    .where('l.identifier', 'is not', null);
  const isAccepted = sql<boolean>`exists (select 1 from submission s
    where s.learner_id = l.learner_id and s.state = 'accepted' and ${inEnvironment(environment ?? '')})`;
  yield* each(ledger, environment === undefined ? learners : learners.where(isAccepted));
}

/** Condition on a column with a learner's number: it is one of these learners (hex hashes). */
export function isOneOf(column: string, learners: readonly string[]): RawBuilder<boolean> {
  if (learners.length === 0) return sql<boolean>`false`;
  return sql<boolean>`${sql.ref(column)} in (
    select l.learner_id from learner l where l.hash in (${sql.join(learners.map(bytes))}))`;
}
