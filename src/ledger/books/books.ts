import { sql } from 'kysely';
import { STATES, type State } from '../../domain/submission.js';
import { ofRun, pickedIn, publishedIn, type ReportSelection } from '../drops/report-selection.js';
import { runsOf } from '../leases/runs.js';
import { count, type Ledger, query } from '../store/query.js';

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
  const resolved = query.selectFrom('resolution as z').innerJoin('drop_file as d', 'd.drop_id', 'z.drop_id');
  return count(ledger, resolved.where(publishedIn(selection)));
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
