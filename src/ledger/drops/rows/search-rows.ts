import { sql } from 'kysely';
import type { Row } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { all, boundLimit, count, type Ledger, query } from '../../store/query.js';
import { cellsIn, presentCells } from './kept-rows.js';

/** The result of searching rows that became no submission for a text. */
export interface SearchedRows {
  readonly found: readonly RowRef[];
  /** Rows that were left out because looking at all of them takes too long; 0: all were looked at. */
  readonly left: number;
}

/**
 * Searches rows that were invalid or skipped for one of these texts, whatever its case: such a row has no learner whose hash
 * could be looked up, so the search reads the cells themselves.
 * @param fits decides whether a row with the text matches.
 * @param mostRows the search stops there; a hundred thousand rows take some 200 ms.
 */
export async function searchRows(
  ledger: Ledger,
  texts: readonly string[],
  fits: (row: Row, dropId: number) => Promise<boolean>,
  mostRows: number,
): Promise<SearchedRows> {
  const found: RowRef[] = [];
  // As the JSON of the cells has them.
  const wanted = texts.map((text) => JSON.stringify(text.toLowerCase()).slice(1, -1));
  const drops = await ledger.db
    .selectFrom('drop_file')
    .select('drop_id as dropId')
    .where('state', '=', sql.lit('published'))
    .where(({ or, eb }) => or([eb('invalid', '>', 0), eb('skipped', '>', 0)]))
    // People ask most about the latest drops.
    .orderBy('drop_id', 'desc')
    .execute();
  let looked = 0;
  let left = 0;
  for (const { dropId } of drops) {
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
        if (await fits({ line, cells: cellsIn(cells) ?? [] }, dropId)) found.push({ dropId, line });
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
