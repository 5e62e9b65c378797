import { closedBy, type Fate } from '../../../domain/delivery/correction.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { skippedSince } from '../../drops/again/skipped-since.js';
import { paged } from '../../leases/leave-room.js';
import { pagesOf } from '../../store/pages.js';
import { all, type Ledger, prepared, query, writing } from '../../store/query.js';
import { carryOut } from '../carry-out.js';
import { openMembers } from './lineage.js';

/**
 * Closes the open members behind the rows of a published corrected attention file, in favour of what these rows became, and the
 * invalid rows that a later export skips; a transaction for each step. May be repeated, which finishes an interrupted call.
 * @param which 'restaged': only the rows that became records by this decision to restage the file.
 */
export function closeOriginals(
  ledger: Ledger,
  dropId: number,
  decisionId: number,
  runId: number | null,
  which: 'all' | 'restaged' = 'all',
): AsyncGenerator<void> {
  return paged(ledger, closePages(ledger, dropId, decisionId, runId, which));
}

async function* closePages(
  ledger: Ledger,
  dropId: number,
  decisionId: number,
  runId: number | null,
  which: 'all' | 'restaged',
): AsyncGenerator<void> {
  const taking = prepared(ledger, TAKING_PLACE).pluck().all(dropId) as number[];
  const restaged = which === 'all' ? null : await restagedLines(ledger, dropId, decisionId);
  const lines = taking.filter((line) => restaged === null || restaged.has(line));
  for (const page of pagesOf(lines)) {
    await writing(ledger, async (ledger) => {
      for (const line of page) await closeOriginal(ledger, { dropId, line }, decisionId, runId);
    });
    yield;
  }
  if (which === 'restaged') return;
  for (const page of pagesOf(await skippedSince(ledger, dropId))) {
    await writing(ledger, async (ledger) => {
      const intents = page.map(({ row, by }) => ({ kind: 'resolve-row', row, by: { row: by } }) as const);
      await carryOut(ledger, intents, { decisionId, runId });
    });
    yield;
  }
}

const TAKING_PLACE = 'select line from redrop_row where drop_id = ? and takes_place = 1 order by line';

async function closeOriginal(
  ledger: Ledger,
  rowRef: RowRef,
  decisionId: number,
  runId: number | null,
): Promise<void> {
  const open = openMembers(ledger, rowRef, decisionId);
  const intents = closedBy(rowRef, fateOf(ledger, rowRef), open);
  await carryOut(ledger, intents, { decisionId, runId, notesRows: true });
}

function fateOf(ledger: Ledger, { dropId, line }: RowRef): Fate {
  const submissionId = prepared(ledger, MADE).pluck().get(dropId, line) as number | undefined;
  if (submissionId !== undefined) return { kind: 'made', submissionId };
  const row = prepared(ledger, STAYED).get(dropId, line) as
    | { readonly repeats: number | null; readonly resolvedBy: number | null }
    | undefined;
  if (row?.repeats != null) return { kind: 'repeats', submissionId: row.repeats };
  return row?.resolvedBy == null ? { kind: 'none' } : { kind: 'made', submissionId: row.resolvedBy };
}

const MADE = `
  select submission_id from submission where drop_id = ? and line = ? order by submission_id desc limit 1`;

const STAYED = `
  select r.submission_id as repeats, z.submission_id as resolvedBy from row r
  left join resolution z using (drop_id, line)
  where r.drop_id = ? and r.line = ?`;

/** Lines of its invalid rows that became submissions by this decision, whichever process carried it out. */
async function restagedLines(
  ledger: Ledger,
  dropId: number,
  decisionId: number,
): Promise<ReadonlySet<number>> {
  const lines = await all(
    ledger,
    query
      .selectFrom('resolution')
      .select('line')
      .where('drop_id', '=', dropId)
      .where('decision_id', '=', decisionId)
      .where('submission_id', 'is not', null),
  );
  return new Set(lines.map(({ line }) => line));
}
