import { sql } from 'kysely';
import { filterInTurn } from '../../../domain/process/in-turn.js';
import { leaveRoom } from '../../leases/leave-room.js';
import { first, type Ledger, query, writing } from '../../store/query.js';
import { isResolved, resolveInvalid } from '../resolve-invalid.js';
import { type MadeRecord, makeOf } from '../staging/make-submissions.js';
import type { PreparedRow, StagingTarget } from '../staging/staged-rows.js';
import { insertIssues } from '../staging/staging.js';

/** An invalid row that is a record or skipped by now. Personal. */
export type RestagedRow = RecordRow | SkippedRow;

type RecordRow = PreparedRow & { readonly kind: 'record' };

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
    const open = await filterInTurn(
      rows,
      async ({ line }) => !(await isResolved(ledger, { dropId: target.dropId, line })),
    );
    const records = open.filter((row) => row.kind === 'record');
    const made = await makeOf(ledger, target, records);
    const firstOf = new Map(made.toReversed().map((record) => [record.line, record]));
    for (const row of open) {
      const became =
        row.kind === 'skipped' ? await skip(row) : await note(row, firstOf.get(row.line) as MadeRecord);
      const { submissionId } = became;
      const by = submissionId === null ? null : { submissionId };
      await resolveInvalid(ledger, { dropId: target.dropId, line: row.line }, target.decisionId, by);
      counts[became.as] += 1;
    }
    return counts;

    async function note({ line, leftOut = [] }: RecordRow, { disposition, submissionId }: MadeRecord) {
      if (disposition === 'duplicate') return { as: 'repeated' as const, submissionId };
      await insertIssues(
        ledger,
        target.dropId,
        line,
        leftOut,
        await countIssues(ledger, target.dropId, line),
      );
      return { as: 'made' as const, submissionId };
    }

    async function skip({ line, issues }: SkippedRow) {
      await insertIssues(ledger, target.dropId, line, issues, await countIssues(ledger, target.dropId, line));
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
