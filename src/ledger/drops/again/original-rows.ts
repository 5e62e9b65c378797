import type { OpenMember } from '../../../domain/delivery/correction.js';
import type { Cell, Disposition } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { Ledger } from '../../store/query.js';
import { prepared, query } from '../../store/query.js';
import { cellsByLine } from '../rows/row-blocks.js';
import { openMembers, rowAt } from './lineage.js';

/** A row that a corrected one stands for, as it is by now. Personal. */
export interface OriginalRow {
  /** What staging made of it. */
  readonly disposition: Disposition;
  /** null: it is blank, or was erased. */
  readonly cells: readonly Cell[] | null;
  /** What of its lineage still waits for somebody or for its delivery: a correction takes the place of that. */
  readonly open: readonly OpenMember[];
}

/**
 * Gives the rows that corrected ones stand for, one for each place in its order; null where a published drop has no such row.
 * Ask it by pages: what is blocked together is unpacked once a page.
 */
export async function originalRows(
  ledger: Ledger,
  rowRefs: readonly RowRef[],
): Promise<readonly (OriginalRow | null)[]> {
  const cellsOf = new Map<number, ReturnType<typeof cellsByLine>>();
  const found: (OriginalRow | null)[] = [];
  for (const rowRef of rowRefs) {
    const { dropId, line } = rowRef;
    const disposition = rowAt(ledger, rowRef);
    const cellsAt = cellsOf.get(dropId) ?? cellsByLine(ledger, dropId);
    cellsOf.set(dropId, cellsAt);
    found.push(
      disposition === null
        ? null
        : { disposition, cells: await cellsAt(line), open: openMembers(ledger, rowRef, null) },
    );
  }
  return found;
}

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
