import type { OpenMember } from '../../../domain/delivery/correction.js';
import type { Cell, Disposition } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { cellsAt } from '../../drops/rows/kept-rows.js';
import { type Ledger, prepared } from '../../store/query.js';
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
    const disposition = dispositionAt(ledger, rowRef);
    found.push(
      disposition === null
        ? null
        : { disposition, cells: await cellsAt(ledger, rowRef), open: openMembers(ledger, rowRef, null) },
    );
  }
  return found;
}

/** The disposition of a row of a published drop; null: the drop has no such row. */
function dispositionAt(ledger: Ledger, { dropId, line }: RowRef): Disposition | null {
  return (prepared(ledger, DISPOSITION).pluck().get(dropId, line) as Disposition | undefined) ?? null;
}

const DISPOSITION = `
  select w.disposition from row w join drop_file d using (drop_id)
  where w.drop_id = ? and w.line = ? and d.state = 'published'`;
