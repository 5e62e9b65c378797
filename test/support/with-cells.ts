import { type Cell, isBlankRow } from '../../src/domain/row.js';
import type { PreparedRow, StagedRow } from '../../src/ledger/submissions/staging/read-rows.js';

/** Prepared rows as they are staged, with the cells that they were read from; blank ones keep none. */
export function withCells<P extends PreparedRow>(
  rows: readonly P[],
  cellsOf: (row: P, index: number) => readonly Cell[],
): StagedRow[] {
  return rows.map((row, index) => {
    const cells = cellsOf(row, index);
    const isBlank = row.kind === 'blank' || isBlankRow(cells);
    return { row, cells: isBlank ? null : JSON.stringify(cells), strayQuotes: null };
  });
}
