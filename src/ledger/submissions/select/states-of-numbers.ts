import { sql } from 'kysely';
import type { State } from '../../../domain/submission.js';
import { isAmong } from '../../store/dialect.js';
import { all, type Ledger, query } from '../../store/query.js';

/** States of published submissions by number; a number without a published submission is absent. */
export async function statesOfNumbers(
  ledger: Ledger,
  submissionIds: readonly number[],
): Promise<ReadonlyMap<number, State>> {
  const found = await all(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select(['s.submission_id as id', 's.state'])
      .where('d.state', '=', sql.lit('published'))
      .where(isAmong('s.submission_id', submissionIds)),
  );
  return new Map(found.map(({ id, state }) => [id, state]));
}
