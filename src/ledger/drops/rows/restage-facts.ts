import type { Cell } from '../../../domain/row.js';
import type { Ledger } from '../../store/query.js';
import { cellsIn, presentCells, presentDecision } from './kept-rows.js';

/**
 * Reads which rows of a drop are to be read again: the lines of its open invalid rows, each with the cells that a correction has
 * given the row; null: it has those that were read. Personal.
 */
export async function restageFacts(
  ledger: Ledger,
  dropId: number,
): Promise<ReadonlyMap<number, readonly Cell[] | null>> {
  const open = await ledger.db
    .selectFrom('open_item as o')
    .innerJoin('row as r', (join) => join.onRef('r.drop_id', '=', 'o.drop_id').onRef('r.line', '=', 'o.line'))
    .select(['o.line', presentCells.as('cells'), presentDecision.as('correctedBy')])
    .where('o.drop_id', '=', dropId)
    .where('o.submission_id', '=', 0)
    .orderBy('o.line')
    .execute();
  return new Map(
    open.map(({ line, cells, correctedBy }) => [line, correctedBy === null ? null : cellsIn(cells)]),
  );
}
