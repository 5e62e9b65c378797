import type { RowRef } from '../../../domain/row-ref.js';
import { type Ledger, prepared, query } from '../../store/query.js';

/** The row that a row of a corrected attention file stands for. */
export interface Original extends RowRef {
  /** True where what is open of its lineage makes room for what the row becomes; false where that changes nothing. */
  readonly takesPlace: boolean;
}

/** Notes which row a row of a corrected attention file stands for. Call it in the transaction that writes the row. */
export function insertRedropRow(ledger: Ledger, row: RowRef, of: Original): void {
  prepared(ledger, INSERT_REDROP_ROW).run(row.dropId, row.line, of.dropId, of.line, of.takesPlace ? 1 : 0);
}

const INSERT_REDROP_ROW = query
  .insertInto('redrop_row')
  .values({ drop_id: 0, line: 0, of_drop_id: 0, of_line: 0, takes_place: 0 })
  .compile().sql;
