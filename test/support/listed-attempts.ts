import { sql } from 'kysely';
import { answeredRequests } from '../../src/ledger/books/requests.js';
import { each, type Ledger } from '../../src/ledger/store/query.js';

/**
 * Streams all requests with their results, in order. `file`, `line` and `state` are those of the
 * request's first submission. `outcome`: of the first answer, or of its absence; null: the request is open.
 */
export function listedAttempts(ledger: Ledger) {
  return each(
    ledger,
    answeredRequests()
      .leftJoin('submission as s', (join) =>
        join.on(
          's.submission_id',
          '=',
          sql<number>`(select min(x.submission_id) from attempt_submission x where x.attempt_id = a.attempt_id)`,
        ),
      )
      .leftJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select([
        'a.attempt_id as attemptId',
        'd.file_name as file',
        's.line',
        's.state',
        sql<number>`(select count(*) from attempt_submission x where x.attempt_id = a.attempt_id)`.as(
          'submissions',
        ),
        'r.outcome',
        'r.status',
      ])
      .orderBy('a.attempt_id'),
  );
}
