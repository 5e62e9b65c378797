import { sql } from 'kysely';
import { change, first, type Ledger, query, writing } from '../store/query.js';
import { withoutReferences } from '../store/sqlite/rewrite-file.js';

/** The counts of a drop before any row is staged. */
export const NOTHING_STAGED = {
  staged_line: 0,
  staged: 0,
  duplicate: 0,
  amended: 0,
  hidden_rows: 0,
  invalid: 0,
  skipped: 0,
  non_data: 0,
  blank: 0,
} as const;

/** Rows thrown away per transaction: well under a second of write lock. */
const DISCARD_BATCH = 20_000;

/** What staging writes for a row. */
const OF_ROWS = ['issue', 'row_part', 'open_item', 'row', 'submission'] as const;

/** Deletes the staged rows of a drop that is not published, in transactions short enough for a pushing process. */
export async function discardRows(ledger: Ledger, dropId: number): Promise<void> {
  // Nothing refers to rows of an unpublished drop, and checking that for each row would read the whole ledger each time.
  await withoutReferences(ledger, async () => {
    await ledger.db.updateTable('drop_file').set(NOTHING_STAGED).where('drop_id', '=', dropId).execute();
    await ledger.db.deleteFrom('counter').where('drop_id', '=', dropId).execute();
    for (;;) {
      const batch = query
        .selectFrom('row')
        .select('line')
        .where('drop_id', '=', dropId)
        .orderBy('line', 'desc')
        .limit(sql.lit(1))
        .offset(DISCARD_BATCH);
      const left = await first(ledger, batch);
      await writing(ledger, async (ledger) => {
        for (const table of OF_ROWS) {
          const rows = query.deleteFrom(table).where('drop_id', '=', dropId);
          await change(ledger, rows.where('line', '>=', left?.line ?? 0));
        }
      });
      if (left === undefined) return;
    }
  });
}
