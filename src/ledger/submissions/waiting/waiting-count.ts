import { sql } from 'kysely';
import type { State } from '../../../domain/submission.js';
import type { Ledger } from '../../store/query.js';

/** Counts the submissions of published drops in a state by environment; one without any is left out. */
export async function countByEnvironment(ledger: Ledger, state: State) {
  return ledger.db
    .selectFrom('counter as n')
    .innerJoin('drop_file as d', 'd.drop_id', 'n.drop_id')
    .innerJoin('environment as e', 'e.environment_id', 'n.environment_id')
    .select(['e.name as environment', sql<number>`sum(n.count)`.as('count')])
    .where('d.state', '=', sql.lit('published'))
    .where('n.state', '=', state)
    .where('n.count', '>', 0)
    .groupBy('e.name')
    .orderBy('e.name')
    .execute();
}
