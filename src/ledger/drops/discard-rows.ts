import { change, type Ledger, prepared, query, writing } from '../store/query.js';

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

/** Deletes the staged rows of a drop that is not published, in transactions short enough for a pushing process. */
export async function discardRows(ledger: Ledger, dropId: number): Promise<void> {
  // Nothing refers to rows of an unpublished drop, and checking that for each row would read the whole ledger each time.
  ledger.file.sqlite.pragma('foreign_keys = off');
  try {
    await change(ledger, query.updateTable('drop_file').set(NOTHING_STAGED).where('drop_id', '=', dropId));
    await change(ledger, query.deleteFrom('counter').where('drop_id', '=', dropId));
    const lines = 'select line from row where drop_id = ? order by line desc limit 1 offset ?';
    for (;;) {
      const batchFrom = prepared(ledger, lines).pluck().get(dropId, DISCARD_BATCH) as number | undefined;
      const from = batchFrom ?? 0;
      await writing(ledger, async (ledger) => {
        prepared(ledger, 'delete from issue where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from redrop_row where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from row_part where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from open_item where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from row where drop_id = ? and line >= ?').run(dropId, from);
        prepared(ledger, 'delete from submission where drop_id = ? and line >= ?').run(dropId, from);
      });
      if (batchFrom === undefined) return;
    }
  } finally {
    ledger.file.sqlite.pragma('foreign_keys = on');
  }
}
