import type { Place } from './lineage.js';
import { type Ledger, prepared, query } from './query.js';

/** Notes which row a row of a corrected attention file stands for. Call it in the transaction that writes the row. */
export function insertRedropRow(ledger: Ledger, row: Place, of: Place): void {
  prepared(ledger, INSERT_REDROP_ROW).run(row.dropId, row.line, of.dropId, of.line);
}

const INSERT_REDROP_ROW = query
  .insertInto('redrop_row')
  .values({ drop_id: 0, line: 0, of_drop_id: 0, of_line: 0 })
  .compile().sql;
