import { sql } from 'kysely';
import { all, type Ledger, query } from './query.js';

/** One answer of the platform with where the row came from. Personal: `detail` may hold an address. */
export interface ShownAnswer {
  readonly file: string;
  readonly line: number;
  readonly status: number | null;
  readonly code: string | null;
  readonly title: string | null;
  readonly detail: string | null;
  /** The submission's state by now. */
  readonly state: string;
  readonly attempts: number;
}

/** The first answer of each status that wasn't a success, oldest first. */
export function firstRefusals(ledger: Ledger): ShownAnswer[] {
  return all(
    ledger,
    query
      .selectFrom('response as p')
      .innerJoin('attempt_submission as x', 'x.attempt_id', 'p.attempt_id')
      .innerJoin('submission as s', 's.submission_id', 'x.submission_id')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .leftJoin('response_text as t', 't.response_id', 'p.response_id')
      .select([
        'd.file_name as file',
        's.line',
        'p.status',
        'p.error_code as code',
        'p.error_title as title',
        't.detail',
        's.state',
        sql<number>`(select count(*) from attempt_submission y where y.submission_id = s.submission_id)`.as(
          'attempts',
        ),
        sql<number>`min(p.response_id)`.as('first'),
      ])
      .where('p.outcome', '<>', 'accepted')
      .groupBy(sql`coalesce(p.status, p.failure)`)
      .orderBy(sql`min(p.response_id)`),
  );
}
