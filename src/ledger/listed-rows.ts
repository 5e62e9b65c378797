import { sql } from 'kysely';
import type { OutcomeKind } from '../domain/outcome.js';
import { attemptIn, publishedIn, type Scope, touchedIn } from './books.js';
import { all, each, type Ledger, query } from './query.js';

/** A published drop that a scope's rows lie in. */
export interface ListedDrop {
  readonly dropId: number;
  readonly source: string;
  readonly file: string;
  readonly sha256: string;
  readonly operation: string;
  readonly header: readonly string[];
  /** Field of the operation -> header it was read from. */
  readonly mapping: Readonly<Record<string, string>>;
}

/** The drops of the scope, for a run also those it moved a submission of, in the order they were taken. */
export function listedDrops(ledger: Ledger, scope: Scope): ListedDrop[] {
  const drops = all(
    ledger,
    query
      .selectFrom('drop as d')
      .select([
        'd.drop_id as dropId',
        'd.source',
        'd.file_name as file',
        'd.sha256',
        'd.operation',
        'd.header',
        'd.mapping',
      ])
      .where('d.state', '=', 'published')
      .where(touchedIn(scope))
      .orderBy('d.drop_id'),
  );
  return drops.map((drop) => ({
    ...drop,
    header: JSON.parse(drop.header ?? '[]') as string[],
    mapping: JSON.parse(drop.mapping ?? '{}') as Record<string, string>,
  }));
}

/** A row that repeats one that came before it. */
export interface DuplicateRow {
  readonly line: number;
  /** The row whose submission it repeats. */
  readonly repeats: { readonly file: string; readonly line: number };
}

/** A drop's duplicates in line order; none where the drop is not the scope's own. */
export function* duplicateRows(ledger: Ledger, dropId: number, scope: Scope): Generator<DuplicateRow> {
  const rows = each(
    ledger,
    query
      .selectFrom('row as r')
      .innerJoin('drop as d', 'd.drop_id', 'r.drop_id')
      .innerJoin('submission as s', 's.submission_id', 'r.submission_id')
      .innerJoin('drop as first', 'first.drop_id', 's.drop_id')
      .select(['r.line', 'first.file_name as firstFile', 's.line as firstLine'])
      .where('r.drop_id', '=', dropId)
      .where('r.disposition', '=', 'duplicate')
      .where(publishedIn(scope))
      .orderBy('r.line'),
  );
  for (const { line, firstFile, firstLine } of rows) {
    yield { line, repeats: { file: firstFile, line: firstLine } };
  }
}

/** A row that the source's policy leaves out. Personal. */
export interface SkippedRow {
  readonly line: number;
  /** The issues' codes and sentences; null when there are none. */
  readonly codes: string | null;
  readonly messages: string | null;
}

/** A drop's skipped rows in line order; none where the drop is not the scope's own. */
export function skippedRows(ledger: Ledger, dropId: number, scope: Scope): IterableIterator<SkippedRow> {
  const issues = (column: 'code' | 'message') =>
    sql<string | null>`(select group_concat(${sql.ref(`i.${column}`)}, '; ') from issue i
      where i.drop_id = r.drop_id and i.line = r.line)`;
  return each(
    ledger,
    query
      .selectFrom('row as r')
      .innerJoin('drop as d', 'd.drop_id', 'r.drop_id')
      .select(['r.line', issues('code').as('codes'), issues('message').as('messages')])
      .where('r.drop_id', '=', dropId)
      .where('r.disposition', '=', 'skipped')
      .where(publishedIn(scope))
      .orderBy('r.line'),
  );
}

/** One request with what came of it. */
export interface ListedAttempt {
  readonly attemptId: number;
  readonly runId: number;
  readonly environment: string;
  readonly startedAt: string;
  /** The first of its submissions. */
  readonly file: string | null;
  readonly line: number | null;
  /** How many submissions it was for. */
  readonly submissions: number;
  /** Of the first answer, or of the silence; null while it is under way. */
  readonly outcome: OutcomeKind | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly errorId: string | null;
  readonly durationMs: number | null;
}

/** The scope's requests in the order they were made. */
export function listedAttempts(ledger: Ledger, scope: Scope): IterableIterator<ListedAttempt> {
  return each(
    ledger,
    query
      .selectFrom('attempt as a')
      .leftJoin('response as r', (join) =>
        join.onRef('r.attempt_id', '=', 'a.attempt_id').on('r.late', '=', 0),
      )
      .leftJoin('submission as s', (join) =>
        join.on(
          's.submission_id',
          '=',
          sql<number>`(select min(x.submission_id) from attempt_submission x where x.attempt_id = a.attempt_id)`,
        ),
      )
      .leftJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select([
        'a.attempt_id as attemptId',
        'a.run_id as runId',
        'a.environment',
        'a.started_at as startedAt',
        'd.file_name as file',
        's.line',
        sql<number>`(select count(*) from attempt_submission x where x.attempt_id = a.attempt_id)`.as(
          'submissions',
        ),
        'r.outcome',
        'r.status',
        sql<string | null>`coalesce(r.reason, r.failure)`.as('reason'),
        'r.error_id as errorId',
        'r.duration_ms as durationMs',
      ])
      .where(attemptIn(scope))
      .orderBy('a.attempt_id'),
  );
}
