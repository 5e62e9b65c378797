import { sql } from 'kysely';
import { dropsWhere } from '../../drops/published-drops.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { each, type Ledger, query } from '../../store/query.js';
import { touchedIn } from '../../submissions/columns.js';
import { attemptIn } from '../requests.js';

/** A published drop that a selection's rows lie in. */
export type ListedDrop = Awaited<ReturnType<typeof listedDrops>>[number];

/** The drops of the selection, for a run also those it moved a submission of, in the order they were taken. */
export async function listedDrops(ledger: Ledger, selection: ReportSelection) {
  const drops = await dropsWhere(ledger, sql<boolean>`d.state = 'published' and ${touchedIn(selection)}`);
  return drops.map(({ dropId, source, file, sha256, operation, header, mapping }) => ({
    drop: dropId,
    source,
    file,
    sha256,
    operation,
    header,
    mapping,
  }));
}

/** One request with its result. Personal: `errorDetail` may hold an address. */
export type ListedAttempt = ReturnType<typeof listedAttempts> extends AsyncGenerator<infer One> ? One : never;

/**
 * Streams the selection's requests with their results, in the order in which they were made. `file`, `line` and `state` are those of
 * the request's first submission. `outcome`: of the first answer, or of the silence; null while the request is under way.
 * `errorDetail`: the platform's own words; null where it had none, and once erased.
 */
export function listedAttempts(ledger: Ledger, selection: ReportSelection) {
  return each(
    ledger,
    query
      .selectFrom('attempt as a')
      .leftJoin('response as r', (join) =>
        join.onRef('r.attempt_id', '=', 'a.attempt_id').on('r.late', '=', 0),
      )
      .leftJoin('response_text as t', 't.response_id', 'r.response_id')
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
        'a.run_id as runId',
        'a.environment',
        'a.started_at as startedAt',
        'd.file_name as file',
        's.line',
        's.state',
        sql<number>`(select count(*) from attempt_submission x where x.attempt_id = a.attempt_id)`.as(
          'submissions',
        ),
        'r.outcome',
        'r.status',
        sql<string | null>`coalesce(r.reason, r.failure)`.as('reason'),
        'r.error_id as errorId',
        'r.error_code as errorCode',
        'r.error_title as errorTitle',
        't.detail as errorDetail',
        'r.duration_ms as durationMs',
      ])
      .where(attemptIn(selection))
      .orderBy('a.attempt_id'),
  );
}
