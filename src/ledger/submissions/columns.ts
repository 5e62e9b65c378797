import { sql } from 'kysely';
import type { HeldCause } from '../../domain/cause.js';
import { dropIn, ofRun, pickedIn, publishedIn, type ReportSelection } from '../drops/report-selection.js';
import { runsOf } from '../leases/runs.js';

/** The code of `submission as s`, for people and selections; `unknown`: it has none beside its state. */
export const causeCode = sql<string>`coalesce(s.platform_code, s.cause, 'unknown')`;

/** Why `submission as s` is held; null: it isn't. */
export const heldCause = sql<HeldCause | null>`case when s.state = 'held' then s.cause end`;

/** The HTTP status of the first answer to the latest request of `submission as s`; null: no answer, or none sent. */
export const lastStatus = sql<number | null>`(
  select r.status from attempt_submission tried
  join response r on r.attempt_id = tried.attempt_id and r.late = 0
  where tried.submission_id = s.submission_id order by tried.attempt_id desc limit 1)`;

/** The columns of a slot, without its family of operations, and of a key, without its revision. */
export const SLOT = ['learner_id', 'content_id', 'environment_id'] as const;
export const KEY = [...SLOT, 'operation_id', 'occurred_at'] as const;

/** Condition on two submissions, by alias: these columns are equal. */
export function haveSame(columns: readonly (typeof KEY)[number][], one: string, other: string) {
  const equal = columns.map(
    (column) => sql`${sql.ref(`${one}.${column}`)} = ${sql.ref(`${other}.${column}`)}`,
  );
  return sql<boolean>`${sql.join(equal, sql` and `)}`;
}

/** Condition on `submission as s`, or a table with its numbers, joined to `drop as d`: it is in the selection. */
export function submissionIn(selection: ReportSelection, alias = 's') {
  if (selection.runId === undefined) return publishedIn(selection);
  return sql<boolean>`d.state = 'published' and ${pickedIn(selection)} and (${ofRun(selection)}
    or ${sql.ref(`${alias}.submission_id`)} in (select submission_id from transition where run_id in ${runsOf(selection.runId)}))`;
}

/** The rows that corrected files of a run have corrected, as `c`. */
export function correctedBy(runId: number) {
  return sql`corrected_row c join returned_file f using (decision_id)
    where c.outcome <> 'left' and f.run_id in ${runsOf(runId)}`;
}

/** Condition on `drop as d`: the selection has it, or its run moved a submission or corrected a row of it. */
export function touchedIn(selection: ReportSelection) {
  if (selection.runId === undefined) return dropIn(selection);
  return sql<boolean>`${pickedIn(selection)} and (${ofRun(selection)} or d.drop_id in (select s.drop_id from transition t
    join submission s using (submission_id) where t.run_id in ${runsOf(selection.runId)}
    union select c.drop_id from ${correctedBy(selection.runId)}))`;
}
