import { sql } from 'kysely';
import { leaveRoom } from '../../leases/leave-room.js';
import { first, type Ledger, query, writing } from '../../store/query.js';
import { isResolved, resolveInvalid } from '../resolve-invalid.js';
import type { PreparedRow, StagingTarget } from '../staging/staged-rows.js';
import { insertIssues } from '../staging/staged-statements.js';
import { noteLeftOut, submissionMaker } from '../staging/staging.js';

/** An invalid row that is a record or skipped by now. Personal. */
export type RestagedRow = (PreparedRow & { readonly kind: 'record' }) | SkippedRow;

/** A row that the source's settings skip. `PreparedRow` has one type for three kinds, of which this is one. */
export type SkippedRow = PreparedRow & { readonly kind: 'skipped' };

/** What invalid rows became. */
interface RestagedCounts {
  made: number;
  repeated: number;
  skipped: number;
}

/**
 * Turns a page of a drop's invalid rows into submissions or resolves them as skipped, for an open decision to restage it. The rows
 * keep their disposition; a resolution says what they became, and an issue why they are skipped. Rows that were resolved meanwhile
 * are left out. Uses one transaction, and lets other work through after it.
 */
export async function restagePage(
  ledger: Ledger,
  target: StagingTarget & { readonly decisionId: number },
  rows: readonly RestagedRow[],
): Promise<RestagedCounts> {
  const restaged = await writing(ledger, async (ledger) => {
    const counts: RestagedCounts = { made: 0, repeated: 0, skipped: 0 };
    const make = await submissionMaker(ledger, target);
    for (const row of rows) {
      if (await isResolved(ledger, { dropId: target.dropId, line: row.line })) continue;
      const became = row.kind === 'skipped' ? await skip(row) : await makeRecords(row);
      const { submissionId } = became;
      const by = submissionId === null ? null : { submissionId };
      await resolveInvalid(ledger, { dropId: target.dropId, line: row.line }, target.decisionId, by);
      counts[became.as] += 1;
    }
    return counts;

    async function makeRecords(row: PreparedRow & { kind: 'record' }) {
      const { disposition, submissionId } = make(row);
      for (const other of row.further ?? []) make({ ...other, kind: 'record', line: row.line });
      const refusals = row.leftOut === undefined ? 0 : await countIssues(ledger, target.dropId, row.line);
      noteLeftOut(ledger, target.dropId, row, disposition, refusals);
      return { as: disposition === 'duplicate' ? ('repeated' as const) : ('made' as const), submissionId };
    }

    async function skip({ line, issues }: SkippedRow) {
      insertIssues(ledger, target.dropId, line, issues, await countIssues(ledger, target.dropId, line));
      return { as: 'skipped' as const, submissionId: null };
    }
  });
  await leaveRoom(ledger);
  return restaged;
}

async function countIssues(ledger: Ledger, dropId: number, line: number): Promise<number> {
  const counted = await first(
    ledger,
    query
      .selectFrom('issue')
      .select(sql<number>`count(*)`.as('count'))
      .where('drop_id', '=', dropId)
      .where('line', '=', line),
  );
  return counted?.count ?? 0;
}
