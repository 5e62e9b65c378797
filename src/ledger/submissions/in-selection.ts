import { sql } from 'kysely';
import { dropIn, ofRun, pickedIn, publishedIn, type ReportSelection } from '../drops/report-selection.js';
import { runsOf } from '../leases/runs.js';

/** Condition on `submission as s`, or on another table with its numbers, joined to `drop as d`. */
export function submissionIn(selection: ReportSelection, alias = 's') {
  if (selection.runId === undefined) return publishedIn(selection);
  return sql<boolean>`d.state = 'published' and ${pickedIn(selection)} and (${ofRun(selection)}
    or ${sql.ref(`${alias}.submission_id`)} in (select submission_id from transition where run_id in ${runsOf(selection.runId)}))`;
}

/** The rows that files of corrections of a run have given other cells, as `c`. */
export function correctedBy(runId: number) {
  return sql`corrected_row c join returned_file f using (decision_id)
    where c.outcome <> 'left' and f.run_id in ${runsOf(runId)}`;
}

/** Condition on `drop as d`: in the selection, or, for a run, with a submission that the run moved or a row that it corrected. */
export function touchedIn(selection: ReportSelection) {
  if (selection.runId === undefined) return dropIn(selection);
  return sql<boolean>`${pickedIn(selection)} and (${ofRun(selection)} or d.drop_id in (select s.drop_id from transition t
    join submission s using (submission_id) where t.run_id in ${runsOf(selection.runId)}
    union select c.drop_id from ${correctedBy(selection.runId)}))`;
}
