import { sql } from 'kysely';
import {
  closedBy,
  noOutcomes,
  type OpenMember,
  outcomeOf,
  type RowOutcome,
  rowResultOf,
} from '../../domain/delivery/correction.js';
import { resultsByLine } from '../../domain/delivery/judge.js';
import { mapSeries } from '../../domain/process/series.js';
import type { RowRef } from '../../domain/row-ref.js';
import { cellsBy } from '../drops/rows/kept-rows.js';
import { yieldToWriters } from '../leases/leases.js';
import { rowOf } from '../store/by-key.js';
import { type Ledger, writing } from '../store/query.js';
import { applyIntents, unsentStates } from './apply-intents.js';
import { lastStatus } from './columns.js';
import { closeInvalid, isAt, isInvalidOpen } from './open-items.js';
import { createOf, numberNamed } from './staging/make-submissions.js';
import { issuesOf, type PreparedRow, type StagingTarget } from './staging/read-rows.js';
import { insertIssues, openInvalid } from './staging/staging.js';

interface AgainTarget extends StagingTarget {
  readonly decisionId: number;
  readonly runId: number | null;
}

export type OutcomeCounts = Readonly<Record<RowOutcome, number>>;

/**
 * Applies a page of rows of a published drop that an open decision reads again: a record becomes a submission that replaces the
 * open submissions or the invalid row, and a row that is skipped now is resolved. Rows keep their disposition; resolutions and
 * transitions record what they became. A row that was closed meanwhile is unchanged. With `isCorrection`, records the outcome
 * with the row's new cells, and the new issues of an invalid row. Uses one transaction, and yields to other work after it.
 */
export async function rereadPage(ledger: Ledger, target: AgainTarget, rows: readonly PreparedRow[]) {
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
    const byLine = resultsByLine(records);
    for (const { row, open } of read) {
      const place = { dropId, line: row.line };
      const result = rowResultOf(row.kind, byLine.get(row.line));
      const outcome = open.length === 0 ? 'left' : outcomeOf(result, open);
      counts[outcome] += 1;
      if (outcome !== 'left') {
        await applyIntents(ledger, closedBy(place, result, open, repeated), {
          decisionId,
          runId,
          notesRows: true,
        });
        await recordIssues(ledger, target, row, outcome);
      }
      if (isCorrection) {
        const corrected = ledger.db.updateTable('corrected_row').set({ outcome });
        await corrected.where(isAt(place)).where('decision_id', '=', decisionId).execute();
      }
    }
    return counts;
  });
  await yieldToWriters(ledger);
  return counts;
}

async function recordIssues(ledger: Ledger, target: AgainTarget, row: PreparedRow, outcome: RowOutcome) {
  if (outcome === 'repeated') return;
  const place = { dropId: target.dropId, line: row.line };
  const issues = issuesOf(row);
  const earlier = await issuesKept(ledger, place);
  // Issues of the same cells are added to those of their earlier reading.
  const decisionId = target.isCorrection ? target.decisionId : earlier.decisionId;
  await insertIssues(ledger, { ...place, decisionId }, issues, earlier.count);
  if (outcome !== 'invalid') return;
  await closeInvalid(ledger, isAt(place));
  const environmentId = await numberNamed(ledger, 'environment', target.environment);
  await openInvalid(ledger, { ...place, environmentId }, issues);
}

async function issuesKept(ledger: Ledger, row: RowRef) {
  return ledger.db
    .selectFrom('issue')
    .select([sql<number>`count(*)`.as('count'), sql<number | null>`max(decision_id)`.as('decisionId')])
    .where(isAt(row))
    .executeTakeFirstOrThrow();
}

/** A row to correct, in its present state. Personal. */
export type OpenRow = NonNullable<Awaited<ReturnType<typeof openRow>>>;

/**
 * Reads a row to correct; null: no published drop has it. `cells`: as the decision `version` corrected them (0: as they
 * were read); null: the row is blank, was erased, or has no such version. `open`: the parts that a correction replaces;
 * []: the row was delivered, is being delivered, or was closed.
 */
export async function openRow(
  ledger: Ledger,
  { dropId, line, version }: RowRef & { readonly version: number },
) {
  const drop = await rowOf(ledger, 'drop_file', { drop_id: dropId, state: 'published' });
  if (drop === undefined || (await rowOf(ledger, 'row', { drop_id: dropId, line })) === undefined)
    return null;
  const cells = await cellsBy(ledger, { dropId, line, decisionId: version });
  return { cells, open: await openMembers(ledger, { dropId, line }) };
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
  const isInvalid = await isInvalidOpen(ledger, { dropId, line });
  return [
    ...submissions.map((submission) => ({ kind: 'submission' as const, submission })),
    ...(isInvalid ? [{ kind: 'invalid' as const }] : []),
  ];
}
