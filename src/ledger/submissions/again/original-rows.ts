import { sql } from 'kysely';
import type { OpenMember } from '../../../domain/delivery/correction.js';
import { inTurn } from '../../../domain/process/in-turn.js';
import type { Cell, Disposition } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { Original } from '../../drops/again/redrop-rows.js';
import { cellsIn } from '../../drops/rows/kept-rows.js';
import { first, type Ledger, query } from '../../store/query.js';
import { openMembers } from './lineage.js';

/** A row that a corrected row corrects, in its present state. Personal. */
export interface OriginalRow {
  /** Its disposition. */
  readonly disposition: Disposition;
  /** null: it is blank, or was erased. */
  readonly cells: readonly Cell[] | null;
  /** The open members of its lineage, which a correction replaces. */
  readonly open: readonly OpenMember[];
}

/** The original of a corrected row, with the open members of its lineage. */
export interface OpenOriginal extends Original {
  readonly open: OriginalRow['open'];
}

/**
 * Reads the rows that corrected rows correct, one for each given reference, in the same order; null where a published drop has no
 * such row.
 */
export async function originalRows(
  ledger: Ledger,
  rowRefs: readonly RowRef[],
): Promise<readonly (OriginalRow | null)[]> {
  return inTurn(rowRefs, async (rowRef) => {
    const row = await first(
      ledger,
      query
        .selectFrom('row as w')
        .innerJoin('drop_file as d', 'd.drop_id', 'w.drop_id')
        .select(['w.disposition', 'w.cells'])
        .where('w.drop_id', '=', rowRef.dropId)
        .where('w.line', '=', rowRef.line)
        .where('d.state', '=', sql.lit('published')),
    );
    if (row === undefined) return null;
    const open = await openMembers(ledger, rowRef, null);
    return { disposition: row.disposition, cells: cellsIn(row.cells), open };
  });
}
