import { sql } from 'kysely';
import { type Cell, cellText, type Row } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { hasWord } from '../../../domain/text/mentions.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { all, boundLimit, count, type Ledger, query } from '../../store/query.js';
import { columnOf, dropsWhere, type TracedDrop } from '../published-drops.js';
import { cellsIn, presentCells } from './kept-rows.js';

/**
 * Invalid and skipped rows that name a learner, a content, or both, in the columns that are read as such. A row with more
 * cells than its header may name a learner anywhere, because its cells may have moved.
 * @param learner spellings of a learner in lower case, any of which matches; null: any learner. Personal.
 * @param content the identifier of a content, as it is written; null: any content.
 * @param mostRows as `searchRows` has it.
 */
export async function rowsNaming(
  ledger: Ledger,
  { learner, content }: { readonly learner: readonly string[] | null; readonly content: string | null },
  mostRows = Number.MAX_SAFE_INTEGER,
) {
  const hasLearner = ({ cells }: Row, drop: TracedDrop, texts: readonly string[]) => {
    const index = columnOf(drop, 'learner');
    const isAnywhere = cells.length > drop.header.length || index === -1;
    const where: readonly (Cell | undefined)[] = isAnywhere ? cells : [cells[index]];
    return where.some((cell) => texts.some((text) => hasWord(cellText(cell).toLowerCase(), text)));
  };
  const hasContent = ({ cells }: Row, drop: TracedDrop, id: string) =>
    cellText(cells[columnOf(drop, 'content')]).trim() === id;
  const fits = (row: Row, drop: TracedDrop) =>
    (learner === null || hasLearner(row, drop, learner)) &&
    (content === null || hasContent(row, drop, content));
  return searchRows(ledger, learner ?? [content ?? ''], fits, mostRows);
}

/**
 * Searches rows that were invalid or skipped for one of these texts, whatever its case: such a row has no learner whose hash
 * could be looked up, so the search reads the cells themselves.
 * @param fits decides whether a row with the text matches.
 * @param mostRows the search stops there; a hundred thousand rows take some 200 ms.
 * @returns `left`: rows that were left out because of that; 0: all were looked at.
 */
export async function searchRows(
  ledger: Ledger,
  texts: readonly string[],
  fits: (row: Row, drop: TracedDrop) => boolean,
  mostRows: number,
) {
  const found: RowRef[] = [];
  // As the JSON of the cells has them.
  const wanted = texts.map((text) => JSON.stringify(text.toLowerCase()).slice(1, -1));
  const drops = await dropsWhere(
    ledger,
    sql<boolean>`d.state = 'published' and (d.invalid > 0 or d.skipped > 0)`,
  );
  let looked = 0;
  let left = 0;
  // People ask most about the latest drops.
  for (const drop of drops.reverse()) {
    const { dropId } = drop;
    let after = 0;
    while (looked < mostRows) {
      const limit = Math.min(PAGE_ROWS, mostRows - looked);
      const next = unsent(dropId, after)
        .select(['r.line', presentCells.as('cells')])
        .orderBy('r.line')
        .limit(boundLimit(limit));
      const page = await all(ledger, next);
      looked += page.length;
      for (const { line, cells } of page) {
        const text = cells?.toLowerCase() ?? '';
        if (!wanted.some((one) => text.includes(one))) continue;
        if (fits({ line, cells: cellsIn(cells) ?? [] }, drop)) found.push({ dropId, line });
      }
      after = page.at(-1)?.line ?? after;
      if (page.length < limit) break;
    }
    if (looked >= mostRows) left += await count(ledger, unsent(dropId, after));
  }
  return { found: found.sort((a, b) => a.dropId - b.dropId || a.line - b.line), left };
}

/** A drop's rows that were invalid or skipped, after a line. In the words of the index of such rows. */
function unsent(dropId: number, after: number) {
  return query
    .selectFrom('row as r')
    .where('drop_id', '=', dropId)
    .where('line', '>', after)
    .where(sql<boolean>`(disposition = 'invalid' or disposition = 'skipped')`);
}
