import { rowNamed } from '../../domain/selection.js';
import { visibleText } from '../../domain/text/visible-text.js';
import type { ActionContext } from '../context.js';
import { planOne } from './correct.js';
import type { RowPlan } from './plan-row.js';

/** A row that is corrected cell by cell. */
export interface CellsRequest {
  /** `17` a submission, `3:217` a drop's line. */
  readonly what: string;
  /** The texts of all cells as a form has sent them, by the index of their column; null: unchanged. */
  readonly cells: readonly (string | null)[] | null;
}

/**
 * Works out what a row would be with these cells; writes nothing. A cell counts as set where its text isn't what a page has shown. Throws
 * OperatorError where the row can't be corrected.
 */
export async function planCells(context: ActionContext, { what, cells }: CellsRequest): Promise<RowPlan> {
  const rowName = typeof rowNamed(what) === 'number' ? `#${what.replace(/^#/, '')}` : what;
  const unchanged = await planOne(context, { what: rowName, set: [] });
  const set = (cells ?? []).flatMap((value, column) => {
    const cell = unchanged.cells[column];
    return cell === undefined || value === null || isAsShown(value, cell.was) ? [] : [{ column, value }];
  });
  return set.length === 0 ? unchanged : planOne(context, { what: rowName, set });
}

/** A page shows line ends and invisible characters by their names. */
function isAsShown(sent: string, was: string): boolean {
  return sent === was || sent === visibleText(was);
}
