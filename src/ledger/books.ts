import { type Selectable, sql } from 'kysely';
import { DISPOSITIONS, type Disposition } from '../domain/row.js';
import { STATES, type State } from '../domain/submission.js';
import { all, first, type Ledger, query } from './query.js';
import type { Tables } from './schema.js';

/** One control equation that doesn't add up. */
export interface Imbalance {
  readonly equation: 'rows' | 'submissions' | 'attempts';
  /** The drop's source and file, or the environment. */
  readonly subject: string;
  readonly expected: number;
  readonly found: number;
  /** Up to 20 lines or numbers that are too many or missing, for people to look at. */
  readonly examples: readonly string[];
}

/**
 * The control equations (promise 1) of the scope: of a run, every drop it took in or moved a submission of, and all
 * its attempts; without a scope, of the whole ledger. Empty: the books balance.
 */
export function imbalances(ledger: Ledger, scope: Scope = {}): Imbalance[] {
  const drops = all(
    ledger,
    query
      .selectFrom('books_drop as b')
      .innerJoin('drop as d', 'd.drop_id', 'b.drop_id')
      .selectAll('b')
      .where(touchedIn(scope)),
  );
  const attempts = all(
    ledger,
    query
      .selectFrom('books_attempt')
      .select(['environment', sql<number>`count(*)`.as('silent'), sql<number>`min(attempt_id)`.as('first')])
      .where(scope.runId === undefined ? sql<boolean>`true` : sql<boolean>`run_id in ${runsOf(scope.runId)}`)
      .groupBy('environment'),
  );
  return [
    ...drops.flatMap((books) => dropImbalances(ledger, books)),
    ...attempts.map(({ environment, silent, first: attemptId }) => ({
      equation: 'attempts' as const,
      subject: environment,
      expected: 0,
      found: silent,
      examples: [`attempt ${attemptId} has no answer and is not under way, or has one and still is`],
    })),
  ];
}

function dropImbalances(ledger: Ledger, books: Selectable<Tables['books_drop']>): Imbalance[] {
  const subject = `${books.source}/${books.file_name}`;
  const wrong: Imbalance[] = [];
  const rowCounts = [books.recorded, books.rows_kept, books.others + books.in_a_state - books.by_decision];
  if (rowCounts.some((count) => count !== books.rows_read)) {
    const found = rowCounts.find((count) => count !== books.rows_read) as number;
    const examples = [
      ...(books.rows_kept === books.rows_read
        ? []
        : [`${books.rows_read} rows were read, the kept cells are of ${books.rows_kept}`]),
      ...dispositionDifferences(ledger, books.drop_id),
    ];
    wrong.push({ equation: 'rows', subject, expected: books.rows_read, found, examples });
  }
  const made = books.made_recorded + books.by_decision;
  if (made !== books.in_a_state) {
    const examples = linesCountedTwice(ledger, books.drop_id);
    wrong.push({ equation: 'submissions', subject, expected: made, found: books.in_a_state, examples });
  }
  return wrong;
}

/** Which rows a report is about: of one run, of one file name, of a span of time, or of all there is. */
export interface Scope {
  readonly runId?: number | undefined;
  readonly fileName?: string | undefined;
  /** ISO times; a drop counts by when it was published, a refused one by when it was taken. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Rows by what staging made of them, from the drops' control totals. */
export function dispositionsIn(ledger: Ledger, scope: Scope): Record<Disposition, number> {
  const total = (name: 'staged' | 'duplicate' | 'amended' | 'invalid' | 'skipped' | 'non_data' | 'blank') =>
    sql<number>`coalesce(sum(${sql.ref(name)}), 0)`;
  const counted = first(
    ledger,
    query
      .selectFrom('drop as d')
      .select([
        total('staged').as('staged'),
        total('duplicate').as('duplicate'),
        total('amended').as('amended'),
        total('invalid').as('invalid'),
        total('skipped').as('skipped'),
        total('non_data').as('non-data'),
        total('blank').as('blank'),
      ])
      .where(publishedIn(scope)),
  );
  return counted as Record<Disposition, number>;
}

/** Invalid rows of the scope that a later decision has dealt with. */
export function resolvedIn(ledger: Ledger, scope: Scope): number {
  const counted = first(
    ledger,
    query
      .selectFrom('resolution as z')
      .innerJoin('drop as d', 'd.drop_id', 'z.drop_id')
      .select(sql<number>`count(*)`.as('count'))
      .where(publishedIn(scope)),
  );
  return counted?.count ?? 0;
}

/** Submissions by state: those made from the scope's rows, and for a run also those it moved. */
export function statesIn(ledger: Ledger, scope: Scope): Record<State, number> {
  const counted = query
    .selectFrom('drop as d')
    .innerJoin('submission as s', 's.drop_id', 'd.drop_id')
    .select(stateCounts);
  const made = first(ledger, counted.where(publishedIn(scope)));
  const moved =
    scope.runId === undefined
      ? undefined
      : first(
          ledger,
          counted
            .where('d.state', '=', 'published')
            .where(sql<boolean>`not (${dropIn(scope)})`)
            .where(
              sql<boolean>`s.submission_id in (select submission_id from transition where run_id in ${runsOf(scope.runId)})`,
            ),
        );
  return Object.fromEntries(
    STATES.map((state) => [state, (made?.[state] ?? 0) + (moved?.[state] ?? 0)]),
  ) as Record<State, number>;
}

/** Counts of `submission as s` for each state: one pass, where grouping would sort a million rows. */
export const stateCounts = STATES.map((state) =>
  sql<number>`coalesce(sum(s.state = ${sql.lit(state)}), 0)`.as(state),
);

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
      : sql<boolean>`a.run_id in ${runsOf(scope.runId)}`;
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
        sql<number>`coalesce(sum(exists (select 1 from attempt_open o where o.attempt_id = a.attempt_id)), 0)`.as(
          'open',
        ),
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
      // Not bound: the index of repeats serves only this very condition.
      .where(sql<boolean>`s.repeats > 0`)
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

/** A run and those that died before it, for which it answers. */
/** The run and those dead ones whose rows it took over. */
export function runsOf(runId: number) {
  return sql`(select run_id from run where run_id = ${runId} or adopted_by = ${runId})`;
}

/** Condition on `drop as d`: published, and in the scope. */
export function publishedIn(scope: Scope) {
  return sql<boolean>`d.state = 'published' and ${dropIn(scope)}`;
}

/** Condition on `drop as d`, whatever its state. */
export function dropIn(scope: Scope) {
  return sql<boolean>`${scope.runId === undefined ? sql`true` : sql`d.run_id in ${runsOf(scope.runId)}`}
    and ${scope.fileName === undefined ? sql`true` : sql`d.file_name = ${scope.fileName}`}
    and ${scope.since === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) >= ${scope.since}`}
    and ${scope.until === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) < ${scope.until}`}`;
}

/** Condition on `submission as s` joined to `drop as d`. */
export function submissionIn(scope: Scope) {
  const ofDrop = publishedIn(scope);
  if (scope.runId === undefined) return ofDrop;
  return sql<boolean>`d.state = 'published' and (${dropIn(scope)}
    or s.submission_id in (select submission_id from transition where run_id in ${runsOf(scope.runId)}))`;
}

/** Drops the scope is about, and for a run also those it moved a submission of. */
function touchedIn(scope: Scope) {
  if (scope.runId === undefined) return dropIn(scope);
  return sql<boolean>`(${dropIn(scope)} or d.drop_id in (select s.drop_id from transition t
    join submission s using (submission_id) where t.run_id in ${runsOf(scope.runId)}))`;
}

/** Which control totals differ from the rows that are there. */
function dispositionDifferences(ledger: Ledger, dropId: number): string[] {
  const recorded = dropDispositions(ledger, dropId);
  const found = all(
    ledger,
    query
      .selectFrom('drop_row')
      .select(['disposition', sql<number>`count(*)`.as('count')])
      .where('drop_id', '=', dropId)
      .groupBy('disposition'),
  );
  return [
    ...DISPOSITIONS.flatMap((name) => {
      const count = found.find(({ disposition }) => disposition === name)?.count ?? 0;
      return count === recorded[name] ? [] : [`${name}: ${recorded[name]} recorded, ${count} there`];
    }),
    ...linesCountedTwice(ledger, dropId),
  ];
}

/** Lines that staging made more than one thing of. */
function linesCountedTwice(ledger: Ledger, dropId: number): string[] {
  const doubled = all(
    ledger,
    query
      .selectFrom('drop_row')
      .select(['line', sql<string>`group_concat(disposition, ' and ')`.as('dispositions')])
      .where('drop_id', '=', dropId)
      .groupBy('line')
      .having(sql`count(*)`, '>', 1)
      .limit(20),
  );
  return doubled.map(({ line, dispositions }) => `line ${line} is ${dispositions}`);
}

/** One drop's control totals. */
export function dropDispositions(ledger: Ledger, dropId: number): Record<Disposition, number> {
  const { staged, duplicate, amended, invalid, skipped, non_data, blank } = first(
    ledger,
    query
      .selectFrom('drop')
      .select(['staged', 'duplicate', 'amended', 'invalid', 'skipped', 'non_data', 'blank'])
      .where('drop_id', '=', dropId),
  ) as Record<'staged' | 'duplicate' | 'amended' | 'invalid' | 'skipped' | 'non_data' | 'blank', number>;
  return { staged, duplicate, amended, invalid, skipped, 'non-data': non_data, blank };
}
