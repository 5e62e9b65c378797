import { sql } from 'kysely';
import type { OutcomeKind } from '../../../domain/outcome.js';
import type { State } from '../../../domain/submission.js';
import { DROP_NAMED } from '../../drops/drops.js';
import type { ReportSelection } from '../../drops/report-selection.js';
import { each, type Ledger, query } from '../../store/query.js';
import { touchedIn } from '../../submissions/in-selection.js';
import { attemptIn } from '../requests.js';

/** A published drop that a selection's rows lie in. */
export interface ListedDrop {
  readonly drop: number;
  readonly source: string;
  readonly file: string;
  readonly sha256: string;
  readonly operation: string;
  readonly header: readonly string[];
  /** Field of the operation -> header it was read from. */
  readonly mapping: Readonly<Record<string, string>>;
}

/** The drops of the selection, for a run also those it moved a submission of, in the order they were taken. */
export async function listedDrops(ledger: Ledger, selection: ReportSelection): Promise<ListedDrop[]> {
  const drops = await ledger.db
    .selectFrom('drop_file as d')
    .select([...DROP_NAMED, 'd.operation', 'd.header', 'd.mapping'])
    .where('d.state', '=', sql.lit('published'))
    .where(touchedIn(selection))
    .orderBy('d.drop_id')
    .execute();
  return drops.map((drop) => ({
    ...drop,
    header: JSON.parse(drop.header ?? '[]') as string[],
    mapping: JSON.parse(drop.mapping ?? '{}') as Record<string, string>,
  }));
}

/** One request with its result. Personal: `detail` may hold an address. */
export interface ListedAttempt {
  readonly attemptId: number;
  readonly runId: number;
  readonly environment: string;
  readonly startedAt: string;
  /** The request's first submission, with its present state. */
  readonly file: string | null;
  readonly line: number | null;
  readonly state: State | null;
  /** How many submissions the request delivered. */
  readonly submissions: number;
  /** The outcome of the first answer, or of the silence; null while the request is under way. */
  readonly outcome: OutcomeKind | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly errorId: string | null;
  readonly errorCode: string | null;
  readonly errorTitle: string | null;
  /** The platform's own words; null where it had none, and once erased. */
  readonly errorDetail: string | null;
  readonly durationMs: number | null;
}

/** Streams the selection's requests with their results, in the order in which they were made. */
export function listedAttempts(ledger: Ledger, selection: ReportSelection): AsyncGenerator<ListedAttempt> {
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
