import type { OpenMember } from '../../../domain/delivery/correction.js';
import type { Cell, Disposition } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { Ledger } from '../../store/query.js';
import { prepared, query } from '../../store/query.js';
import { cellsAt } from '../rows/kept-rows.js';
import { openMembers, rowAt } from './lineage.js';

/** A row that a corrected row corrects, in its present state. Personal. */
export interface OriginalRow {
  /** Its disposition. */
  readonly disposition: Disposition;
  /** null: it is blank, or was erased. */
  readonly cells: readonly Cell[] | null;
  /** The open members of its lineage, which a correction replaces. */
  readonly open: readonly OpenMember[];
}

/**
 * Reads the rows that corrected rows correct, one for each given reference, in the same order; null where a published drop has no
 * such row.
 */
export async function originalRows(
  ledger: Ledger,
  rowRefs: readonly RowRef[],
): Promise<readonly (OriginalRow | null)[]> {
  const found: (OriginalRow | null)[] = [];
  for (const rowRef of rowRefs) {
    const disposition = rowAt(ledger, rowRef);
    found.push(
      disposition === null
        ? null
        : { disposition, cells: await cellsAt(ledger, rowRef), open: openMembers(ledger, rowRef, null) },
    );
  }
  return found;
}

/** The row that a row of a corrected attention file corrects. */
export interface Original extends RowRef {
  /** True where what the corrected row becomes closes the open members of the lineage; false where the row changes nothing. */
  readonly takesPlace: boolean;
}

/** Records the original of a corrected attention file's row. Call it in the transaction that writes the row. */
export function insertRedropRow(ledger: Ledger, row: RowRef, of: Original): void {
  prepared(ledger, INSERT_REDROP_ROW).run(row.dropId, row.line, of.dropId, of.line, of.takesPlace ? 1 : 0);
}

const INSERT_REDROP_ROW = query
  .insertInto('redrop_row')
  .values({ drop_id: 0, line: 0, of_drop_id: 0, of_line: 0, takes_place: 0 })
  .compile().sql;
