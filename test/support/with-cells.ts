import { type Cell, isBlankRow } from '../../src/domain/row.js';
import type { KeptTexts, PreparedRow } from '../../src/ledger/submissions/staging/staged-rows.js';

/** Prepared rows as they are staged, with the cells that they were read from; blank ones keep none. */
export function withCells<P extends PreparedRow>(
  rows: readonly P[],
  cellsOf: (row: P, index: number) => readonly Cell[],
): (P & KeptTexts)[] {
  return rows.map((row, index) => {
    const cells = cellsOf(row, index);
    return { ...row, cells: row.kind === 'blank' || isBlankRow(cells) ? null : JSON.stringify(cells) };
  });
}
