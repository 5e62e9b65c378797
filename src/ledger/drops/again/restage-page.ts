import { sql } from 'kysely';
import { leaveRoom } from '../../store/pages.js';
import { change, first, type Ledger, query, writing } from '../../store/query.js';
import type { PreparedRow, StagingTarget } from '../../submissions/staged-rows.js';
import { noteLeftOut, submissionMaker } from '../../submissions/staging.js';
import { type MendedBlock, type MendedRecord, putBackCells, putBackRecord } from './mending.js';

/** The repairs of one step of restaging a drop. Personal. */
export interface RestagedPage {
  /** Kept cells that a disk has damaged; absent: none. */
  readonly blocks?: readonly MendedBlock[];
  /** Records that a disk has damaged and that pass `canPutBack`; absent: none. */
  readonly records?: readonly MendedRecord[];
  /** Invalid rows that are records by now; absent: none. */
  readonly rows?: readonly (PreparedRow & { kind: 'record' })[];
}

/**
 * Repairs a page of a drop for an open decision to restage it: writes damaged cells and records again, and turns invalid rows
 * into submissions. A submission that was held for the damage waits again. The rows keep their disposition; a resolution says
 * what they became. Rows that were resolved meanwhile are left out. Uses one transaction, and lets other work through after it.
 * @returns how many rows became new submissions and how many repeat one.
 */
export async function restagePage(
  ledger: Ledger,
  target: StagingTarget & { readonly decisionId: number },
  { blocks = [], records = [], rows = [] }: RestagedPage,
): Promise<{ made: number; repeated: number }> {
  const restaged = await writing(ledger, async (ledger) => {
    for (const block of blocks) await putBackCells(ledger, block);
    for (const record of records) await putBackRecord(ledger, record, target.decisionId);
    const counts = { made: 0, repeated: 0 };
    const make = submissionMaker(ledger, target);
    for (const row of rows) {
      const done = await first(
        ledger,
        query
          .selectFrom('resolution')
          .select('line')
          .where('drop_id', '=', target.dropId)
          .where('line', '=', row.line),
      );
      if (done) continue;
      const { disposition, submissionId } = make(row);
      for (const other of row.further ?? []) make({ ...other, kind: 'record', line: row.line });
      const refusals = row.leftOut === undefined ? 0 : await countIssues(ledger, target.dropId, row.line);
      noteLeftOut(ledger, target.dropId, row, disposition, refusals);
      await change(
        ledger,
        query.insertInto('resolution').values({
          drop_id: target.dropId,
          line: row.line,
          decision_id: target.decisionId,
          submission_id: submissionId,
          successor_drop_id: null,
          successor_line: null,
        }),
      );
      counts[disposition === 'duplicate' ? 'repeated' : 'made'] += 1;
    }
    return counts;
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
