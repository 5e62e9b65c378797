import { sql } from 'kysely';
import type { BooksDocument } from '../../documents/report.js';
import type { Disposition } from '../../domain/row.js';
import { STATES, type State } from '../../domain/submission.js';
import { isPicked, ofRun, pickedIn, publishedIn, type ReportSelection } from '../drops/report-selection.js';
import { runsOf } from '../leases/runs.js';
import { first, type Ledger, query } from '../store/query.js';
import { submissionIn } from '../submissions/in-selection.js';

/** Rows by disposition, from the drops' control totals. */
export async function dispositionsIn(
  ledger: Ledger,
  selection: ReportSelection,
): Promise<Record<Disposition, number>> {
  const totals = query.selectFrom('drop_file as d').select(dispositionTotals).where(publishedIn(selection));
  return (await first(ledger, totals)) as Record<Disposition, number>;
}

function total(name: 'staged' | 'duplicate' | 'amended' | 'invalid' | 'skipped' | 'non_data' | 'blank') {
  return sql<number>`coalesce(sum(${sql.ref(name)}), 0)`;
}

/** The control totals of `drop_file`, summed up. */
export const dispositionTotals = [
  total('staged').as('staged'),
  total('duplicate').as('duplicate'),
  total('amended').as('amended'),
  total('invalid').as('invalid'),
  total('skipped').as('skipped'),
  total('non_data').as('non-data'),
  total('blank').as('blank'),
] as const;

/** Invalid rows of the selection that a later decision has resolved. */
export async function resolvedIn(ledger: Ledger, selection: ReportSelection): Promise<number> {
  const counted = await ledger.db
    .selectFrom('resolution as z')
    .innerJoin('drop_file as d', 'd.drop_id', 'z.drop_id')
    .select(sql<number>`count(*)`.as('count'))
    .where(publishedIn(selection))
    .executeTakeFirst();
  return counted?.count ?? 0;
}

/** Submissions by state that a run has moved and that come from other runs' files; none for a selection without a run. */
export async function statesMovedIn(
  ledger: Ledger,
  selection: ReportSelection,
): Promise<Partial<Record<State, number>>> {
  if (selection.runId === undefined) return {};
  const moved = await ledger.db
    .selectFrom('drop_file as d')
    .innerJoin('submission as s', 's.drop_id', 'd.drop_id')
    .select(stateCounts)
    .where(sql<boolean>`d.state = 'published' and ${pickedIn(selection)} and not ${ofRun(selection)}`)
    .where(
      sql<boolean>`s.submission_id in (select submission_id from transition where run_id in ${runsOf(selection.runId)})`,
    )
    .executeTakeFirst();
  return moved ?? {};
}

/** Counts of `submission as s` for each state: one pass, where grouping would sort a million rows. */
const stateCounts = STATES.map((state) =>
  sql<number>`count(*) filter (where s.state = ${sql.lit(state)})`.as(state),
);

/** Attempts made in the selection: by its run, and for its submissions. */
export async function attemptsIn(
  ledger: Ledger,
  selection: ReportSelection,
): Promise<BooksDocument['attempts']> {
  const isAll = selection.runId === undefined && !isPicked(selection);
  const attempts = await ledger.db
    .selectFrom('attempt as a')
    .select(sql<number>`count(*)`.as('total'))
    .where(attemptIn(selection))
    .executeTakeFirst();
  const answered = await ledger.db
    .selectFrom('response as r')
    .select([
      sql<number>`count(r.status)`.as('responses'),
      sql<number>`count(r.failure)`.as('noResponses'),
      sql<number>`count(*) filter (where r.outcome = 'accepted')`.as('accepted'),
      sql<number>`count(*) filter (where r.outcome = 'rejected')`.as('rejected'),
      sql<number>`count(*) filter (where r.outcome = 'throttled')`.as('throttled'),
    ])
    .where(
      isAll
        ? sql<boolean>`r.late in (0)`
        : sql<boolean>`r.late = 0 and r.attempt_id in
        (select a.attempt_id from attempt a where ${attemptIn(selection)})`,
    )
    .executeTakeFirst();
  const underWay = await ledger.db
    .selectFrom('attempt_open as o')
    .select(sql<number>`count(*)`.as('open'))
    // Late answers are few, whatever the selection.
    .where(
      sql<boolean>`exists (select 1 from attempt a where a.attempt_id = o.attempt_id and ${attemptIn(selection)})`,
    )
    .executeTakeFirst();
  const repeats = await ledger.db
    .selectFrom('submission as s')
    .innerJoin('drop_file as d', 'd.drop_id', 's.drop_id')
    .select(sql<number>`coalesce(sum(s.repeats), 0)`.as('count'))
    // A literal: SQLite uses the index of repeats only for exactly this condition.
    .where(sql<boolean>`s.repeats > 0`)
    .where(submissionIn(selection))
    .executeTakeFirst();
  return {
    total: attempts?.total ?? 0,
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
export function attemptIn(selection: ReportSelection) {
  const byRun =
    selection.runId === undefined ? sql<boolean>`true` : sql<boolean>`a.run_id in ${runsOf(selection.runId)}`;
  if (!isPicked(selection)) return byRun;
  return sql<boolean>`${byRun} and a.attempt_id in (select x.attempt_id from attempt_submission x
    join submission s using (submission_id) join drop_file d using (drop_id)
    where d.state = 'published' and ${pickedIn(selection)})`;
}
