import { sql } from 'kysely';
import {
  closedBy,
  fateOf,
  noOutcomes,
  type OpenMember,
  outcomeOf,
  type RowOutcome,
} from '../../domain/delivery/correction.js';
import { grouped } from '../../domain/grouped.js';
import { mapSeries } from '../../domain/process/series.js';
import type { RowRef } from '../../domain/row-ref.js';
import { cellsBy } from '../drops/rows/kept-rows.js';
import { leaveRoom } from '../leases/leave-room.js';
import { first, type Ledger, query, writing } from '../store/query.js';
import { carryOut } from './carry-out.js';
import { lastStatus } from './columns.js';
import { closeInvalid, openInvalidAt } from './open-items.js';
import { createOf, numberNamed } from './staging/make-submissions.js';
import { issuesOf, type PreparedRow, type StagingTarget } from './staging/read-rows.js';
import { insertIssues, openInvalid } from './staging/staging.js';
import { unsentStates } from './transitions.js';

/** The target of rows that a decision reads again. */
interface AgainTarget extends StagingTarget {
  readonly decisionId: number;
  readonly runId: number | null;
}

export type OutcomeCounts = Readonly<Record<RowOutcome, number>>;

/**
 * Applies a page of rows of a published drop that an open decision reads again: a record becomes a submission that
 * replaces the open submissions or the invalid row, and a row that is skipped now is resolved. Rows keep their
 * disposition; resolutions and transitions record what they became. A row that was closed meanwhile is unchanged.
 * With `isCorrection`, records the outcome with the row's new cells, and the new issues of an invalid row. Uses one
 * transaction, and yields to other work after it.
 */
export async function rereadPage(
  ledger: Ledger,
  target: AgainTarget,
  rows: readonly PreparedRow[],
): Promise<OutcomeCounts> {
  const { dropId, decisionId, runId, isCorrection = false } = target;
  const counts = await writing(ledger, async (ledger) => {
    const counts = noOutcomes();
    const read = await mapSeries(rows, async (row) => {
      const open = await openMembers(ledger, { dropId, line: row.line });
      // Without new cells, only an invalid row is replaced.
      return { row, open: isCorrection ? open : open.filter(({ kind }) => kind === 'invalid') };
    });
    const records = await createOf(
      ledger,
      target,
      read.flatMap(({ row, open }) => (row.kind === 'record' && open.length > 0 ? [row] : [])),
    );
    const repeated = new Set(
      records.flatMap(({ disposition, submissionId }) => (disposition === 'duplicate' ? [submissionId] : [])),
    );
    const byLine = grouped(records, ({ line }) => line);
    for (const { row, open } of read) {
      const place = { dropId, line: row.line };
      const fate = fateOf(row.kind, byLine.get(row.line) ?? []);
      const outcome = open.length === 0 ? 'left' : outcomeOf(fate, open);
      counts[outcome] += 1;
      if (outcome !== 'left') {
        await carryOut(ledger, closedBy(place, fate, open, repeated), { decisionId, runId, notesRows: true });
        await recordIssues(ledger, target, row, outcome);
      }
      if (isCorrection) await recordOutcome(ledger, place, decisionId, outcome);
    }
    return counts;
  });
  await leaveRoom(ledger);
  return counts;
}

async function recordIssues(
  ledger: Ledger,
  target: AgainTarget,
  row: PreparedRow,
  outcome: RowOutcome,
): Promise<void> {
  const { dropId } = target;
  const { line } = row;
  const issues = issuesOf(row);
  if (outcome === 'repeated') return;
  const earlier = await issuesKept(ledger, { dropId, line });
  // Issues of the same cells are added to those of their earlier reading.
  const decisionId = target.isCorrection ? target.decisionId : earlier.decisionId;
  await insertIssues(ledger, { dropId, line, decisionId }, issues, earlier.count);
  if (outcome !== 'invalid') return;
  await closeInvalid(ledger, { dropId, line });
  const environmentId = await numberNamed(ledger, 'environment', target.environment);
  await openInvalid(ledger, { dropId, environmentId }, { line, issues: issues });
}

async function recordOutcome(
  ledger: Ledger,
  { dropId, line }: RowRef,
  decisionId: number,
  outcome: RowOutcome,
): Promise<void> {
  await ledger.db
    .updateTable('corrected_row')
    .set({ outcome })
    .where('decision_id', '=', decisionId)
    .where('drop_id', '=', dropId)
    .where('line', '=', line)
    .execute();
}

async function issuesKept(ledger: Ledger, { dropId, line }: RowRef) {
  const issues = query
    .selectFrom('issue')
    .select([sql<number>`count(*)`.as('count'), sql<number | null>`max(decision_id)`.as('decisionId')])
    .where('drop_id', '=', dropId)
    .where('line', '=', line);
  return (await first(ledger, issues)) ?? { count: 0, decisionId: null };
}

/** The version of a row on which a correction is based. */
export interface RowVersion extends RowRef {
  /** The decision that corrected its cells; 0: the cells as they were read. */
  readonly version: number;
}

/** A row to correct, in its present state. Personal. */
export type RowToCorrect = NonNullable<Awaited<ReturnType<typeof rowsToCorrect>>[number]>;

/**
 * Reads rows to correct, in the same order; null: no published drop has such a row. `cells`: the cells of that
 * version; null: the row is blank, was erased, or has no such version. `open`: the parts that a correction replaces;
 * []: the row was delivered, is being delivered, or was closed.
 */
export async function rowsToCorrect(ledger: Ledger, versions: readonly RowVersion[]) {
  return mapSeries(versions, async ({ dropId, line, version }) => {
    const row = await ledger.db
      .selectFrom('row as r')
      .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
      .select('r.line')
      .where('r.drop_id', '=', dropId)
      .where('r.line', '=', line)
      .where('d.state', '=', sql.lit('published'))
      .executeTakeFirst();
    if (row === undefined) return null;
    const cells = await cellsBy(ledger, { dropId, line, decisionId: version });
    const open = await openMembers(ledger, { dropId, line });
    return { cells, open };
  });
}

/** The open parts of a row: neither delivered, being delivered, dismissed, replaced nor resolved. */
async function openMembers(ledger: Ledger, { dropId, line }: RowRef): Promise<OpenMember[]> {
  const submissions = await ledger.db
    .selectFrom('submission as s')
    .select(['s.submission_id as id', 's.state', 's.cause', lastStatus.as('lastStatus')])
    .where('s.drop_id', '=', dropId)
    .where('s.line', '=', line)
    .where(sql<boolean>`s.state in (${unsentStates})`)
    .orderBy('s.submission_id')
    .execute();
  const invalid = await openInvalidAt(ledger, { dropId, line });
  return [
    ...submissions.map((submission) => ({ kind: 'submission' as const, submission })),
    ...(invalid === undefined ? [] : [{ kind: 'invalid' as const }]),
  ];
}
