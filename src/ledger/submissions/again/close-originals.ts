import { sql } from 'kysely';
import { closedBy, type Fate } from '../../../domain/delivery/correction.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { skippedSince } from '../../drops/again/skipped-since.js';
import { paged } from '../../leases/leave-room.js';
import { pagesOf } from '../../store/pages.js';
import { all, first, type Ledger, query, writing } from '../../store/query.js';
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
  const taking = query
    .selectFrom('redrop_row')
    .select('line')
    .where('drop_id', '=', dropId)
    .where('takes_place', '=', 1)
    .orderBy('line');
  // Lines of its invalid rows that became submissions by this decision, whichever process carried it out.
  const restaged = query
    .selectFrom('resolution')
    .select('line')
    .where('drop_id', '=', dropId)
    .where('decision_id', '=', decisionId)
    .where('submission_id', 'is not', null);
  const lines = await all(ledger, which === 'all' ? taking : taking.where('line', 'in', restaged));
  for (const page of pagesOf(lines)) {
    await writing(ledger, async (ledger) => {
      for (const { line } of page) await closeOriginal(ledger, { dropId, line }, decisionId, runId);
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

async function closeOriginal(
  ledger: Ledger,
  rowRef: RowRef,
  decisionId: number,
  runId: number | null,
): Promise<void> {
  const open = await openMembers(ledger, rowRef, decisionId);
  const intents = closedBy(rowRef, await fateOf(ledger, rowRef), open);
  await carryOut(ledger, intents, { decisionId, runId, notesRows: true });
}

async function fateOf(ledger: Ledger, { dropId, line }: RowRef): Promise<Fate> {
  const row = await first(
    ledger,
    query
      .selectFrom('row as r')
      .leftJoin('resolution as z', (join) =>
        join.onRef('z.drop_id', '=', 'r.drop_id').onRef('z.line', '=', 'r.line'),
      )
      .select([
        sql<number | null>`(select max(s.submission_id) from submission s
          where s.drop_id = r.drop_id and s.line = r.line)`.as('made'),
        'r.submission_id as repeats',
        'z.submission_id as resolvedBy',
      ])
      .where('r.drop_id', '=', dropId)
      .where('r.line', '=', line),
  );
  if (row?.made == null && row?.repeats != null) return { kind: 'repeats', submissionId: row.repeats };
  const submissionId = row?.made ?? row?.resolvedBy;
  return submissionId == null ? { kind: 'none' } : { kind: 'made', submissionId };
}
