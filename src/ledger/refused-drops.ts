import { sql } from 'kysely';
import { all, type Ledger, query } from './query.js';

/** A file that was set aside as a whole. */
export interface RefusedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly takenAt: string;
  /** Why, and what to do. May hold a value: personal. */
  readonly refusal: string;
}

/** Files that were set aside, the latest first, but for those that have come in since under the same name and count. */
export function refusedDrops(ledger: Ledger): RefusedDrop[] {
  return all(
    ledger,
    query
      .selectFrom('drop as d')
      .select([
        'd.drop_id as dropId',
        'd.source',
        'd.file_name as file',
        'd.taken_at as takenAt',
        sql<string>`d.refusal`.as('refusal'),
      ])
      .where('d.state', '=', 'refused')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('drop as later')
              .select('later.drop_id')
              .whereRef('later.source', '=', 'd.source')
              .whereRef('later.file_name', '=', 'd.file_name')
              .where('later.state', '=', 'published')
              .whereRef('later.published_at', '>=', 'd.taken_at'),
          ),
        ),
      )
      .orderBy('d.drop_id', 'desc'),
  );
}
