import { type RawBuilder, sql } from 'kysely';
import { type Cell, cellText, type Row } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { hasWord } from '../../../domain/text/mentions.js';
import { contains } from '../../store/dialect.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { all, boundLimit, count, first, type Ledger, query } from '../../store/query.js';
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
      const { last, rows } = await pageAfter(ledger, dropId, after, Math.min(PAGE_ROWS, mostRows - looked));
      if (last === null) break;
      const likely = unsent(dropId, after)
        .where('line', '<=', last)
        .where(mayName(texts))
        .select(['r.line', presentCells.as('cells')]);
      for (const { line, cells } of await all(ledger, likely)) {
        if (fits({ line, cells: cellsIn(cells) ?? [] }, drop)) found.push({ dropId, line });
      }
      looked += rows;
      after = last;
    }
    if (looked >= mostRows) left += await count(ledger, unsent(dropId, after));
  }
  return { found: found.sort((a, b) => a.dropId - b.dropId || a.line - b.line), left };
}

/** The last line of the next rows of a drop that were invalid or skipped, and how many these are; null where no more follow. */
async function pageAfter(ledger: Ledger, dropId: number, after: number, limit: number) {
  const next = unsent(dropId, after).select('r.line').orderBy('r.line').limit(boundLimit(limit));
  const page = query
    .selectFrom(next.as('n'))
    .select([sql<number | null>`max(line)`.as('last'), sql<number>`count(*)`.as('rows')]);
  return (await first(ledger, page)) ?? { last: null, rows: 0 };
}

/**
 * Condition on `row as r`: its cells may have one of the texts, whatever the case. Engines change the case of ASCII alike, so the longest
 * piece of ASCII decides.
 */
function mayName(texts: readonly string[]): RawBuilder<boolean> {
  const conditions = texts.map((text) => {
    const json = JSON.stringify(text.toLowerCase()).slice(1, -1);
    const pieces = json.split(/[^ -~]+/).sort((one, other) => other.length - one.length);
    return contains(sql`lower(${presentCells})`, pieces[0] ?? '');
  });
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** A drop's rows that were invalid or skipped, after a line. In the words of the index of such rows. */
function unsent(dropId: number, after: number) {
  return query
    .selectFrom('row as r')
    .where('drop_id', '=', dropId)
    .where('line', '>', after)
    .where(sql<boolean>`(disposition = 'invalid' or disposition = 'skipped')`);
}
