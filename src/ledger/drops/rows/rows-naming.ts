import { type Cell, cellText, type Row } from '../../../domain/row.js';
import { operationNamed } from '../../../operations/registry.js';
import type { Ledger } from '../../store/query.js';
import { tracedDrop } from '../traced-drops.js';
import { type SearchedRows, searchRows } from './search-rows.js';

/** The names to look for in rows that became no record. */
export interface Named {
  /** Spellings of a learner in lower case, any of which matches; null: any learner. Personal. */
  readonly learner: readonly string[] | null;
  /** The identifier of a content, as it is written; null: any content. */
  readonly content: string | null;
}

/**
 * Invalid and skipped rows that name a learner, a content, or both, in the columns that are read as such. A row with more
 * cells than its header may name a learner anywhere, because its cells may have moved.
 * @param mostRows as `searchRows` has it.
 */
export async function rowsNaming(
  ledger: Ledger,
  { learner, content }: Named,
  mostRows = Number.MAX_SAFE_INTEGER,
): Promise<SearchedRows> {
  const columnOf = columns(ledger);
  const hasLearner = async ({ cells }: Row, dropId: number, texts: readonly string[]) => {
    const { index, width } = await columnOf(dropId, 'learner');
    const where: readonly (Cell | undefined)[] =
      cells.length > width || index === -1 ? cells : [cells[index]];
    return where.some((cell) => texts.some((text) => names(cellText(cell).toLowerCase(), text)));
  };
  const hasContent = async ({ cells }: Row, dropId: number, id: string) =>
    cellText(cells[(await columnOf(dropId, 'content')).index]).trim() === id;
  const fits = async (row: Row, dropId: number) =>
    (learner === null || (await hasLearner(row, dropId, learner))) &&
    (content === null || (await hasContent(row, dropId, content)));
  return searchRows(ledger, learner ?? [content ?? ''], fits, mostRows);
}

/** The column of a field in a drop's rows, and the number of columns; -1: no column has the field. */
function columns(ledger: Ledger) {
  const known = new Map<number, Record<'learner' | 'content', { index: number; width: number }>>();
  return async (dropId: number, which: 'learner' | 'content') => {
    const found = known.get(dropId);
    if (found) return found[which];
    const drop = await tracedDrop(ledger, dropId);
    const { fields } = operationNamed(drop?.operation ?? '');
    const at = (field = '') => ({
      index: drop?.header.indexOf(drop.mapping[field] ?? '') ?? -1,
      width: drop?.header.length ?? 0,
    });
    const learner = at(fields.find(({ kind }) => kind === 'learner')?.name);
    const both = { learner, content: at('content-id') };
    known.set(dropId, both);
    return both[which];
  };
}

/** True when the text stands in the cell as a whole word, so that ann@x.org isn't found in joann@x.org. */
function names(cell: string, text: string): boolean {
  for (let at = cell.indexOf(text); at !== -1; at = cell.indexOf(text, at + 1)) {
    if (!WORD.test(cell.charAt(at - 1)) && !WORD.test(cell.charAt(at + text.length))) return true;
  }
  return false;
}

const WORD = /[\p{L}\p{N}._%+@-]/u;
