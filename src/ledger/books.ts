import { sql } from 'kysely';
import { DISPOSITIONS, type Disposition } from '../domain/row.js';
import { STATES, type State } from '../domain/submission.js';
import { all, first, type Ledger, query } from './query.js';

/** One control equation that doesn't add up. */
export interface Imbalance {
  readonly equation: 'drop' | 'source' | 'attempt';
  /** The drop's file, the source or the environment. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
  /** Up to 20 lines or numbers that are too many or missing, for people to look at. */
  readonly examples: readonly string[];
}

/** The control equations over the whole ledger (promise 1). Empty: the books balance. */
export function imbalances(ledger: Ledger): Imbalance[] {
  const drops = all(ledger, query.selectFrom('books_drop').selectAll().where('difference', '<>', 0));
  const sources = all(ledger, query.selectFrom('books_source').selectAll().where('difference', '<>', 0));
  const attempts = all(ledger, query.selectFrom('books_attempt').selectAll().where('difference', '<>', 0));
  return [
    ...drops.map((books) => ({
      equation: 'drop' as const,
      subject: `${books.source}/${books.file_name}`,
      expected: books.rows_read,
      found: books.rows_kept,
      examples: gaps(ledger, books.drop_id),
    })),
    ...sources.map((books) => ({
      equation: 'source' as const,
      subject: books.source,
      expected: books.made + books.by_decision,
      found: books.in_a_state,
      examples: rowsWithoutSubmission(ledger, books.source),
    })),
    ...attempts.map((books) => ({
      equation: 'attempt' as const,
      subject: books.environment,
      expected: books.attempts,
      found: books.responses + books.no_responses + books.open,
      examples: silentAttempts(ledger, books.environment),
    })),
  ];
}

/** Which rows a report is about: of one run, of one file name, of a span of time, or of all there is. */
export interface Scope {
  readonly runId?: number | undefined;
  readonly fileName?: string | undefined;
  /** ISO times; a drop counts by when it was published. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Rows by what staging made of them. */
export function dispositionsIn(ledger: Ledger, scope: Scope): Record<Disposition, number> {
  const found = all(
    ledger,
    query
      .selectFrom('row as r')
      .innerJoin('drop as d', 'd.drop_id', 'r.drop_id')
      .select(['r.disposition', sql<number>`count(*)`.as('count')])
      .where(publishedIn(scope))
      .groupBy('r.disposition'),
  );
  const counts = Object.fromEntries(DISPOSITIONS.map((name) => [name, 0])) as Record<Disposition, number>;
  for (const { disposition, count } of found) counts[disposition] = count;
  return counts;
}

/** Submissions by state: those made from the scope's rows, and for a run also those it moved. */
export function statesIn(ledger: Ledger, scope: Scope): Record<State, number> {
  const found = all(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select(['s.state', sql<number>`count(*)`.as('count')])
      .where(submissionIn(scope))
      .groupBy('s.state'),
  );
  const counts = Object.fromEntries(STATES.map((name) => [name, 0])) as Record<State, number>;
  for (const { state, count } of found) counts[state] = count;
  return counts;
}

/** Requests of the scope, and what came of them. */
export interface AttemptCounts {
  readonly total: number;
  readonly responses: number;
  readonly noResponses: number;
  readonly open: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly throttled: number;
  /** Sent again although an earlier request may have been carried out. */
  readonly repeats: number;
}

/** Attempts made in the scope: by a run, or for a scope's submissions. */
export function attemptsIn(ledger: Ledger, scope: Scope): AttemptCounts {
  const inScope =
    scope.runId === undefined
      ? sql<boolean>`a.attempt_id in (select x.attempt_id from attempt_submission x
          join submission s using (submission_id) join "drop" d using (drop_id) where ${submissionIn(scope)})`
      : sql<boolean>`a.run_id = ${scope.runId}`;
  const counted = first(
    ledger,
    query
      .selectFrom('attempt as a')
      .leftJoin('response as r', (join) =>
        join.onRef('r.attempt_id', '=', 'a.attempt_id').on('r.late', '=', 0),
      )
      .select([
        sql<number>`count(*)`.as('total'),
        sql<number>`count(r.status)`.as('responses'),
        sql<number>`count(r.failure)`.as('noResponses'),
        sql<number>`sum(r.response_id is null)`.as('open'),
        sql<number>`sum(r.outcome is 'accepted')`.as('accepted'),
        sql<number>`sum(r.outcome is 'rejected')`.as('rejected'),
        sql<number>`sum(r.outcome is 'throttled')`.as('throttled'),
      ])
      .where(inScope),
  );
  const repeats = first(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop as d', 'd.drop_id', 's.drop_id')
      .select(sql<number>`coalesce(sum(s.repeats), 0)`.as('count'))
      .where(submissionIn(scope)),
  );
  const { total = 0, responses = 0, noResponses = 0 } = counted ?? {};
  return {
    total,
    responses,
    noResponses,
    open: counted?.open ?? 0,
    accepted: counted?.accepted ?? 0,
    rejected: counted?.rejected ?? 0,
    throttled: counted?.throttled ?? 0,
    repeats: repeats?.count ?? 0,
  };
}

/** Condition on `drop as d`: published, and in the scope. */
export function publishedIn(scope: Scope) {
  return sql<boolean>`d.state = 'published' and ${dropIn(scope)}`;
}

/** Condition on `drop as d`, whatever its state. */
export function dropIn(scope: Scope) {
  return sql<boolean>`${scope.runId === undefined ? sql`true` : sql`d.run_id = ${scope.runId}`}
    and ${scope.fileName === undefined ? sql`true` : sql`d.file_name = ${scope.fileName}`}
    and ${scope.since === undefined ? sql`true` : sql`d.published_at >= ${scope.since}`}
    and ${scope.until === undefined ? sql`true` : sql`d.published_at < ${scope.until}`}`;
}

/** Condition on `submission as s` joined to `drop as d`. */
export function submissionIn(scope: Scope) {
  const ofDrop = publishedIn(scope);
  if (scope.runId === undefined) return ofDrop;
  return sql<boolean>`d.state = 'published' and (${dropIn(scope)}
    or s.submission_id in (select submission_id from transition where run_id = ${scope.runId}))`;
}

function gaps(ledger: Ledger, dropId: number): string[] {
  const missing = all(
    ledger,
    query
      .selectFrom('submission as s')
      .select('s.line')
      .where('s.drop_id', '=', dropId)
      .where(sql<boolean>`not exists (select 1 from row r where r.drop_id = s.drop_id and r.line = s.line)`)
      .limit(20),
  );
  return missing.map(({ line }) => `line ${line} has a submission and no row`);
}

function rowsWithoutSubmission(ledger: Ledger, source: string): string[] {
  const wrong = all(
    ledger,
    query
      .selectFrom('row as r')
      .innerJoin('drop as d', 'd.drop_id', 'r.drop_id')
      .leftJoin('submission as s', 's.submission_id', 'r.submission_id')
      .select(['d.file_name', 'r.line'])
      .where('d.source', '=', source)
      .where('d.state', '=', 'published')
      .where('r.disposition', 'in', ['staged', 'amended'])
      .where('s.submission_id', 'is', null)
      .limit(20),
  );
  return wrong.map(({ file_name, line }) => `${file_name}:${line} has no submission`);
}

function silentAttempts(ledger: Ledger, environment: string): string[] {
  const silent = all(
    ledger,
    query
      .selectFrom('attempt as a')
      .select('a.attempt_id')
      .where('a.environment', '=', environment)
      .where(
        sql<boolean>`not exists (select 1 from response r where r.attempt_id = a.attempt_id and r.late = 0)
          and not exists (select 1 from attempt_submission x join submission s using (submission_id)
            where x.attempt_id = a.attempt_id and s.state = 'sending')`,
      )
      .limit(20),
  );
  return silent.map(({ attempt_id }) => `attempt ${attempt_id} has no answer and is not under way`);
}
