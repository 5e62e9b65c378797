import { sql } from 'kysely';
import type { RequestBooks } from '../../domain/balance/equations.js';
import { grouped } from '../../domain/grouped.js';
import { OUTCOME_KINDS, type OutcomeKind } from '../../domain/outcome.js';
import { isPicked, pickedIn, type ReportSelection } from '../drops/report-selection.js';
import { isInRun } from '../leases/runs.js';
import { all, count, type Ledger, query } from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { submissionIn } from '../submissions/columns.js';

/** Counts of first answers, and of requests that ended without one. */
type Answers = Readonly<Record<OutcomeKind | 'responses' | 'noResponses', number>>;

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

export interface Requests extends RequestBooks {
  /** null for the books of a run: there are no counters of its answers to compare with. */
  readonly answers: Answers | null;
}

/** The requests in the books of a selection, by environment: those of its run; without a run, all of all files. */
export async function requestsIn(ledger: Ledger, selection: ReportSelection): Promise<Requests[]> {
  // Without a run, sums over all requests: a sum over some files is no cheaper, and proves less.
  const coversAll = selection.runId === undefined;
  const counted = await ledger.db
    // In index order, so that a million requests aren't sorted.
    .selectFrom(
      query
        .selectFrom('attempt as a')
        .select(['a.run_id', 'a.environment', sql<number>`count(*)`.as('attempts')])
        .where(coversAll ? sql<boolean>`true` : attemptIn(selection))
        .groupBy(['a.run_id', 'a.environment'])
        .as('of_run'),
    )
    .select(['environment', sql<number>`sum(attempts)`.as('attempts')])
    .groupBy('environment')
    .execute();
  const broken = await ledger.db
    .selectFrom('books_attempt as a')
    .select(['a.environment', sql<number>`count(*)`.as('broken')])
    .where(coversAll ? isSuspect : attemptIn(selection))
    .groupBy('a.environment')
    .execute();
  const names = counted.map(({ environment }) => environment);
  const answers = coversAll ? await answersByEnvironment(ledger, names) : new Map<string, Answers>();
  const counters = await ledger.db.selectFrom('answer_counter').selectAll().execute();
  return counted.map(({ environment, attempts }) => {
    const own = answers.get(environment) ?? null;
    const unanswered = broken.find((one) => one.environment === environment)?.broken ?? 0;
    const ofEnvironment = counters.filter((one) => one.environment === environment);
    return {
      environment,
      attempts,
      broken: unanswered + (coversAll ? miscounted(own ?? {}, ofEnvironment) : 0),
      answers: own,
    };
  });
}

/**
 * Counts first answers by environment.
 * @param environments those with requests. With a single one, all answers belong to it: a join with the requests
 * takes five times as long.
 */
async function answersByEnvironment(ledger: Ledger, [environment = '', ...others]: readonly string[]) {
  const answers = firstAnswers();
  if (others.length === 0) return new Map([[environment, totalsOf(await all(ledger, answers))]]);
  const joined = answers.innerJoin('attempt as a', 'a.attempt_id', 'r.attempt_id');
  const counted = await all(ledger, joined.select('a.environment').groupBy('a.environment'));
  const byName = grouped(counted, (one) => one.environment);
  return new Map([...byName].map(([name, own]) => [name, totalsOf(own)]));
}

/** First answers as `r`, counted in the order of their index: another grouping would sort a million answers. */
function firstAnswers() {
  return query
    .selectFrom('response as r')
    .select(['r.status', 'r.outcome', sql<number>`count(*)`.as('count')])
    .where('r.late', '=', sql.lit(0))
    .groupBy(['r.status', 'r.outcome']);
}

function totalsOf(
  counted: readonly { readonly status: number | null; readonly outcome: string; readonly count: number }[],
): Answers {
  const total = (which: (one: (typeof counted)[number]) => boolean) =>
    counted.filter(which).reduce((sum, { count }) => sum + count, 0);
  const kinds = OUTCOME_KINDS.map((kind) => [kind, total(({ outcome }) => outcome === kind)] as const);
  return {
    ...(Object.fromEntries(kinds) as Record<OutcomeKind, number>),
    responses: total(({ status }) => status !== null),
    // The schema requires a failure where there is no status.
    noResponses: total(({ status }) => status === null),
  };
}

/** The sum of the differences between an environment's counters and its answers. */
function miscounted(answers: Partial<Answers>, counters: readonly Tables['answer_counter'][]): number {
  return OUTCOME_KINDS.reduce((sum, kind) => {
    const counter = counters.find(({ outcome }) => outcome === kind);
    return sum + Math.abs((answers[kind] ?? 0) - (counter?.count ?? 0));
  }, 0);
}

/**
 * Condition on `attempt as a`: it has no answer or is open, which includes every attempt that breaks the books. Such
 * attempts are few, and one pass over tables in the order of attempts finds them.
 */
const isSuspect = sql<boolean>`a.attempt_id in (select attempt_id from attempt
  except select attempt_id from response where late = 0
  union all select attempt_id from attempt_open)`;

/**
 * Counts the attempts of the selection: by its run, for its submissions.
 * @param requests the selection's requests, if already read.
 */
export async function attemptsIn(ledger: Ledger, selection: ReportSelection, requests?: readonly Requests[]) {
  const ofAll = selection.runId === undefined && !isPicked(selection) ? requests : undefined;
  const isTo = sql<boolean>`r.attempt_id in (select a.attempt_id from attempt a where ${attemptIn(selection)})`;
  const answered = ofAll?.flatMap(({ answers }) => answers ?? []) ?? [
    totalsOf(await all(ledger, firstAnswers().where(isTo))),
  ];
  const total = (name: keyof Answers) => answered.reduce((sum, answers) => sum + answers[name], 0);
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
    total:
      ofAll?.reduce((sum, { attempts }) => sum + attempts, 0) ??
      (await count(ledger, query.selectFrom('attempt as a').where(attemptIn(selection)))),
    responses: total('responses'),
    noResponses: total('noResponses'),
    open: await count(ledger, query.selectFrom('attempt_open as o').where(isIn)),
    accepted: total('accepted'),
    rejected: total('rejected'),
    throttled: total('throttled'),
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
