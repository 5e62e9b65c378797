import { sql } from 'kysely';
import { dropIn, ofRun, pickedIn, publishedIn, type ReportSelection } from '../drops/report-selection.js';
import { runsOf } from '../leases/runs.js';

/** Condition on `submission as s`, or on another table with its numbers, joined to `drop as d`. */
export function submissionIn(selection: ReportSelection, alias = 's') {
  if (selection.runId === undefined) return publishedIn(selection);
  return sql<boolean>`d.state = 'published' and ${pickedIn(selection)} and (${ofRun(selection)}
    or ${sql.ref(`${alias}.submission_id`)} in (select submission_id from transition where run_id in ${runsOf(selection.runId)}))`;
}

/** Condition on `drop as d`: in the selection, or, for a run, with a submission that the run moved. */
export function touchedIn(selection: ReportSelection) {
  if (selection.runId === undefined) return dropIn(selection);
  return sql<boolean>`${pickedIn(selection)} and (${ofRun(selection)} or d.drop_id in (select s.drop_id from transition t
    join submission s using (submission_id) where t.run_id in ${runsOf(selection.runId)}))`;
}
