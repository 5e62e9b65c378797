import type { OpenMember } from '../../../domain/delivery/correction.js';
import type { Cell, Disposition } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import type { Ledger } from '../../store/query.js';
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
