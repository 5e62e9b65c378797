import { sql } from 'kysely';
import type { BooksDocument } from '../../documents/report.js';
import type { RequestBooks } from '../../domain/balance/equations.js';
import { isPicked, pickedIn, type ReportSelection } from '../drops/report-selection.js';
import { isInRun } from '../leases/runs.js';
import { all, count, type Ledger, query } from '../store/query.js';
import { submissionIn } from '../submissions/columns.js';

/** Requests as `a`, each with its first answer as `r`, whose columns are null where there is none. */
export function answeredRequests() {
  return query
    .selectFrom('attempt as a')
    .leftJoin('response as r', (join) =>
      join.onRef('r.attempt_id', '=', 'a.attempt_id').on(sql<boolean>`r.late = 0`),
    );
}

/** Counts of `answeredRequests` by the result of each; `open`: there is none yet. */
export const ANSWER_COUNTS = [
  sql<number>`count(*)`.as('sent'),
  sql<number>`count(*) filter (where r.outcome = 'accepted')`.as('accepted'),
  sql<number>`count(*) filter (where r.outcome = 'rejected')`.as('refused'),
  sql<number>`count(*) filter (where r.outcome = 'throttled')`.as('throttled'),
  sql<number>`count(*) filter (where r.outcome not in ('accepted', 'rejected', 'throttled'))`.as('failed'),
  sql<number>`count(*) filter (where r.outcome is null)`.as('open'),
] as const;

/**
 * The requests in the books of a selection, by environment: those of its run; without a run, all requests of all
 * files.
 */
export async function requestsIn(ledger: Ledger, selection: ReportSelection): Promise<RequestBooks[]> {
  // Without a run, sums over all requests: a sum over some files is no cheaper, and proves less.
  const looksAtAll = selection.runId === undefined;
  const isCounted = looksAtAll ? sql<boolean>`true` : attemptIn(selection);
  const counted = await ledger.db
    // In index order, so that a million requests aren't sorted.
    .selectFrom(
      query
        .selectFrom('attempt as a')
        .select(['a.run_id', 'a.environment', sql<number>`count(*)`.as('attempts')])
        .where(isCounted)
        .groupBy(['a.run_id', 'a.environment'])
        .as('of_run'),
    )
    .select(['environment', sql<number>`sum(attempts)`.as('attempts')])
    .groupBy('environment')
    .execute();
  const broken = await ledger.db
    .selectFrom('books_attempt as a')
    .select(['a.environment', sql<number>`count(*)`.as('count')])
    .where(isCounted)
    .groupBy('a.environment')
    .execute();
  const faults = [...broken, ...(looksAtAll ? await all(ledger, miscounted) : [])];
  return counted.map(({ environment, attempts }) => {
    const own = faults.filter((one) => one.environment === environment);
    return { environment, attempts, broken: own.reduce((sum, { count }) => sum + count, 0) };
  });
}

/** The sum of the differences between an environment's counters and its first answers. */
const miscounted = sql<{ readonly environment: string; readonly count: number }>`
  select environment, sum(abs(difference)) as count from (
    select environment, sum(n) as difference from (
      select environment, outcome, count as n from answer_counter
      union all select a.environment, r.outcome, -count(*) from response r join attempt a using (attempt_id)
        where r.late = 0 group by a.environment, r.outcome
    ) counted group by environment, outcome
  ) compared group by environment`;

/** Counts the attempts of the selection: by its run, for its submissions. */
export async function attemptsIn(
  ledger: Ledger,
  selection: ReportSelection,
): Promise<BooksDocument['attempts']> {
  const answered = answeredRequests()
    .select(ANSWER_COUNTS)
    .select(sql<number>`count(r.status)`.as('responses'))
    .select(sql<number>`count(*) filter (where r.outcome is not null and r.status is null)`.as('noResponses'))
    .where(attemptIn(selection));
  const [counts] = await all(ledger, answered);
  if (counts === undefined) throw new Error('the query returned no row');
  const { sent: total, accepted, refused: rejected, throttled, responses, noResponses } = counts;
  const isIn = sql<boolean>`exists (select 1 from attempt a where a.attempt_id = o.attempt_id and ${attemptIn(selection)})`;
  const repeats = await ledger.db
    .selectFrom('submission as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(sql<number>`coalesce(sum(s.repeats), 0)`.as('count'))
    // A literal: SQLite uses the index of repeats only for exactly this condition.
    .where(sql<boolean>`s.repeats > 0`)
    .where(submissionIn(selection))
    .executeTakeFirst();
  return {
    ...{ total, responses, noResponses, accepted, rejected, throttled },
    open: await count(ledger, query.selectFrom('attempt_open as o').where(isIn)),
    repeats: repeats?.count ?? 0,
  };
}

/** Condition on `attempt as a`: it is in the selection. */
export function attemptIn(selection: ReportSelection) {
  const byRun = isInRun('a.run_id', selection.runId);
  if (!isPicked(selection)) return byRun;
  return sql<boolean>`${byRun} and a.attempt_id in (select x.attempt_id from attempt_submission x
    join submission s using (submission_id) join drop_file d using (drop_id)
    where d.state = 'published' and ${pickedIn(selection)})`;
}
