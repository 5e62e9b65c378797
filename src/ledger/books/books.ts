import { sql } from 'kysely';
import type { Disposition } from '../../domain/row.js';
import { STATES, type State } from '../../domain/submission.js';
import { fileNamed } from '../drops/file-named.js';
import { first, type Ledger, prepared, query } from '../store/query.js';

/** Which rows a report is about: of a run, a source, a file name, a span of time, or of all there is. */
export interface Scope {
  readonly runId?: number | undefined;
  readonly source?: string | undefined;
  readonly fileName?: string | undefined;
  /** ISO times; a drop counts by when it was published, a refused one by when it was taken. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Rows by what staging made of them, from the drops' control totals. */
export async function dispositionsIn(ledger: Ledger, scope: Scope): Promise<Record<Disposition, number>> {
  const total = (name: 'staged' | 'duplicate' | 'amended' | 'invalid' | 'skipped' | 'non_data' | 'blank') =>
    sql<number>`coalesce(sum(${sql.ref(name)}), 0)`;
  const counted = await first(
    ledger,
    query
      .selectFrom('drop_file as d')
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
export async function resolvedIn(ledger: Ledger, scope: Scope): Promise<number> {
  const counted = await first(
    ledger,
    query
      .selectFrom('resolution as z')
      .innerJoin('drop_file as d', 'd.drop_id', 'z.drop_id')
      .select(sql<number>`count(*)`.as('count'))
      .where(publishedIn(scope)),
  );
  return counted?.count ?? 0;
}

/** Submissions by state that a run has moved and that are not of its own files; none for a scope without a run. */
export async function statesMovedIn(ledger: Ledger, scope: Scope): Promise<Partial<Record<State, number>>> {
  if (scope.runId === undefined) return {};
  const moved = await first(
    ledger,
    query
      .selectFrom('drop_file as d')
      .innerJoin('submission as s', 's.drop_id', 'd.drop_id')
      .select(stateCounts)
      .where(sql<boolean>`d.state = 'published' and ${pickedIn(scope)} and not ${ofRun(scope)}`)
      .where(
        sql<boolean>`s.submission_id in (select submission_id from transition where run_id in ${runsOf(scope.runId)})`,
      ),
  );
  return moved ?? {};
}

/** Counts of `submission as s` for each state: one pass, where grouping would sort a million rows. */
const stateCounts = STATES.map((state) =>
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

/** Attempts made in the scope: by its run, and for its submissions. */
export async function attemptsIn(ledger: Ledger, scope: Scope): Promise<AttemptCounts> {
  const isAll = scope.runId === undefined && !isPicked(scope);
  const made = await first(
    ledger,
    query.selectFrom('attempt as a').select(sql<number>`count(*)`.as('total')).where(attemptIn(scope)),
  );
  const answered = await first(
    ledger,
    query
      .selectFrom('response as r')
      .select([
        sql<number>`count(r.status)`.as('responses'),
        sql<number>`count(r.failure)`.as('noResponses'),
        sql<number>`count(*) filter (where r.outcome = 'accepted')`.as('accepted'),
        sql<number>`count(*) filter (where r.outcome = 'rejected')`.as('rejected'),
        sql<number>`count(*) filter (where r.outcome = 'throttled')`.as('throttled'),
      ])
      // Of all there are, not by the index of first answers: that would look up each one.
      .where(
        isAll
          ? sql<boolean>`+r.late = 0`
          : sql<boolean>`r.late = 0 and r.attempt_id in
        (select a.attempt_id from attempt a where ${attemptIn(scope)})`,
      ),
  );
  const underWay = await first(
    ledger,
    query
      .selectFrom('attempt_open as o')
      .select(sql<number>`count(*)`.as('open'))
      // They are few, whatever the scope.
      .where(
        sql<boolean>`exists (select 1 from attempt a where a.attempt_id = o.attempt_id and ${attemptIn(scope)})`,
      ),
  );
  const repeats = await first(
    ledger,
    query
      .selectFrom('submission as s')
      .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
      .select(sql<number>`coalesce(sum(s.repeats), 0)`.as('count'))
      // Not bound: the index of repeats serves only this very condition.
      .where(sql<boolean>`s.repeats > 0`)
      .where(submissionIn(scope)),
  );
  return {
    total: made?.total ?? 0,
    responses: answered?.responses ?? 0,
    noResponses: answered?.noResponses ?? 0,
    open: underWay?.open ?? 0,
    accepted: answered?.accepted ?? 0,
    rejected: answered?.rejected ?? 0,
    throttled: answered?.throttled ?? 0,
    repeats: repeats?.count ?? 0,
  };
}

/** Condition on `attempt as a`. */
export function attemptIn(scope: Scope) {
  const byRun =
    scope.runId === undefined ? sql<boolean>`true` : sql<boolean>`a.run_id in ${runsOf(scope.runId)}`;
  if (!isPicked(scope)) return byRun;
  return sql<boolean>`${byRun} and a.attempt_id in (select x.attempt_id from attempt_submission x
    join submission s using (submission_id) join drop_file d using (drop_id)
    where d.state = 'published' and ${pickedIn(scope)})`;
}

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
  return sql<boolean>`${ofRun(scope)} and ${pickedIn(scope)}`;
}

/** Condition on `drop as d`: what the scope says besides the run. */
export function pickedIn(scope: Scope) {
  return sql<boolean>`${scope.source === undefined ? sql`true` : sql`d.source = ${scope.source}`}
    and ${scope.fileName === undefined ? sql`true` : fileNamed(scope.fileName)}
    and ${scope.since === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) >= ${scope.since}`}
    and ${scope.until === undefined ? sql`true` : sql`coalesce(d.published_at, d.taken_at) < ${scope.until}`}`;
}

/** True when the scope is more than a run, or all there is. */
function isPicked({ source, fileName, since, until }: Scope): boolean {
  return [source, fileName, since, until].some((one) => one !== undefined);
}

/** Condition on `drop as d`: the run took it in. */
function ofRun({ runId }: Scope) {
  return runId === undefined ? sql<boolean>`true` : sql<boolean>`d.run_id in ${runsOf(runId)}`;
}

/** Condition on `submission as s` joined to `drop as d`. */
export function submissionIn(scope: Scope) {
  if (scope.runId === undefined) return publishedIn(scope);
  return sql<boolean>`d.state = 'published' and ${pickedIn(scope)} and (${ofRun(scope)}
    or s.submission_id in (select submission_id from transition where run_id in ${runsOf(scope.runId)}))`;
}

/** Condition on `drop as d`: what the scope is about, and for a run also what it moved a submission of. */
export function touchedIn(scope: Scope) {
  if (scope.runId === undefined) return dropIn(scope);
  return sql<boolean>`${pickedIn(scope)} and (${ofRun(scope)} or d.drop_id in (select s.drop_id from transition t
    join submission s using (submission_id) where t.run_id in ${runsOf(scope.runId)}))`;
}

/** One drop's control totals. */
export function dropDispositions(ledger: Ledger, dropId: number): Record<Disposition, number> {
  return prepared(ledger, DISPOSITIONS_OF).get(dropId) as Record<Disposition, number>;
}

const DISPOSITIONS_OF = query
  .selectFrom('drop_file')
  .select(['staged', 'duplicate', 'amended', 'invalid', 'skipped', 'non_data as non-data', 'blank'])
  .where('drop_id', '=', 0)
  .compile().sql;
