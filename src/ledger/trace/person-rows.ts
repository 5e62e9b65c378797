import type { Identified } from '../../domain/learners/corrected-learners.js';
import type { RowRef } from '../../domain/row-ref.js';
import { ATTENTION_STATES, type State } from '../../domain/submission.js';
import { rowsAt } from '../books/rows/browsed-rows.js';
import { areAmong, isAmong } from '../store/dialect.js';
import { type Ledger, reading } from '../store/query.js';
import type { ListedPlace } from '../submissions/select/selection.js';
import { findLearner } from './read-trace.js';

/** Where a person's row is: its submission's state, or why it has none. `closed`: by a decision. */
export type Standing = State | 'invalid' | 'skipped' | 'closed';

/** The maximum number of rows without a record that are searched for a person: they take tens of milliseconds. */
export const MAX_SEARCHED = 15_000;

/**
 * Reads one page of a person's rows, under all identifiers: rows that need attention first, then the latest. `counts`
 * counts all of them by standing; `unsearched`: rows without a record that were not searched. Personal.
 */
export async function personRows(
  ledger: Ledger,
  learners: readonly Identified[],
  { from, count }: { readonly from: number; readonly count: number },
) {
  return reading(ledger, async (ledger) => {
    const traces = await findLearner(ledger, learners, MAX_SEARCHED);
    const { submissionIds, rowRefs, corrections, unsearched } = traces;
    const submissions = await ledger.db
      .selectFrom('submission as s')
      .select(['s.drop_id as dropId', 's.line', 's.submission_id as submissionId'])
      .select(['s.state', 's.state as standing'])
      .where(isAmong('s.submission_id', submissionIds))
      .execute();
    const places = [...submissions, ...(await withoutRecord(ledger, rowRefs))].sort(
      (a, b) =>
        rank(a) - rank(b) || b.dropId - a.dropId || b.line - a.line || b.submissionId - a.submissionId,
    );
    const counts: Partial<Record<Standing, number>> = {};
    for (const { standing } of places) counts[standing] = (counts[standing] ?? 0) + 1;
    const rows = await standingRows(ledger, places.slice(from, from + count));
    return { counts, rows, corrections, unsearched };
  });
}

/** A row with where it is. Personal. */
export type StandingRow = Awaited<ReturnType<typeof standingRows>>[number];

interface StandingPlace extends ListedPlace {
  readonly standing: Standing;
}

/** The rows at these places, with all that explains where they are. */
export async function standingRows(ledger: Ledger, places: readonly StandingPlace[]) {
  const rows = await rowsAt(ledger, places);
  return rows.map((row, index) => ({ row, standing: places[index]?.standing ?? row.state }));
}

/** The standings of rows that became no record; rows that a decision made a submission of are left out. */
export async function withoutRecord(ledger: Ledger, rowRefs: readonly RowRef[]): Promise<StandingPlace[]> {
  const pairs = rowRefs.map(({ dropId, line }) => [dropId, line] as const);
  const rows = await ledger.db
    .selectFrom('row as r')
    .leftJoin('resolution as z', (join) =>
      join.onRef('z.drop_id', '=', 'r.drop_id').onRef('z.line', '=', 'r.line'),
    )
    .select(['r.drop_id as dropId', 'r.line', 'r.disposition', 'z.decision_id as decisionId'])
    .where(areAmong(['r.drop_id', 'r.line'], pairs))
    .where('z.submission_id', 'is', null)
    .execute();
  return rows.map(({ dropId, line, disposition, decisionId }) => {
    const standing: Standing =
      decisionId !== null ? 'closed' : disposition === 'skipped' ? 'skipped' : 'invalid';
    return { dropId, line, submissionId: 0, state: 'invalid', standing };
  });
}

function rank({ standing }: { readonly standing: Standing }): number {
  return standing === 'invalid' || ATTENTION_STATES.some((state) => state === standing) ? 0 : 1;
}
