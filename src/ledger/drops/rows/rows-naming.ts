import { type RawBuilder, sql } from 'kysely';
import { type Cell, cellText, type Row } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { hasWord } from '../../../domain/text/mentions.js';
import { contains } from '../../store/dialect.js';
import { boundLimit, count, each, type Ledger, query } from '../../store/query.js';
import { columnOf, dropsWhere, type TracedDrop } from '../published-drops.js';
import { cellsIn, presentCells } from './kept-rows.js';

/**
 * Finds invalid and skipped rows with a learner, a content, or both, in the mapped columns. In a row with more cells
 * than its header, the learner may be in any cell, because the cells may have moved.
 * @param learner spellings of a learner in lower case, any of which matches; null: any learner. Personal.
 * @param content the identifier of a content, as written; null: any content.
 * @param maxRows as in `searchRows`.
 */
export async function rowsNaming(
  ledger: Ledger,
  { learner, content }: { readonly learner: readonly string[] | null; readonly content: string | null },
  maxRows = Number.MAX_SAFE_INTEGER,
) {
  const hasLearner = ({ cells }: Row, drop: TracedDrop, texts: readonly string[]) => {
    const index = columnOf(drop, 'learner');
    const isAnywhere = cells.length > drop.header.length || index === -1;
    const where: readonly (Cell | undefined)[] = isAnywhere ? cells : [cells[index]];
    return where.some((cell) => texts.some((text) => hasWord(cellText(cell).toLowerCase(), text)));
  };
  const hasContent = ({ cells }: Row, drop: TracedDrop, id: string) =>
    cellText(cells[columnOf(drop, 'content')]).trim() === id;
  const predicate = (row: Row, drop: TracedDrop) =>
    (learner === null || hasLearner(row, drop, learner)) &&
    (content === null || hasContent(row, drop, content));
  return searchRows(ledger, learner ?? [content ?? ''], predicate, maxRows);
}

/**
 * Searches invalid and skipped rows for one of these texts, ignoring case. Such a row has no learner hash to look up,
 * so the search reads the cells.
 * @param predicate decides whether a row that may have one of the texts matches.
 * @param maxRows the maximum number of rows to search; a hundred thousand rows take about 200 ms.
 * @returns `unsearched`: the number of rows that were not searched because of that limit.
 */
export async function searchRows(
  ledger: Ledger,
  texts: readonly string[],
  predicate: (row: Row, drop: TracedDrop) => boolean,
  maxRows: number,
) {
  const matches: RowRef[] = [];
  const drops = await dropsWhere(
    ledger,
    sql<boolean>`d.state = 'published' and (d.invalid > 0 or d.skipped > 0)`,
  );
  let searchedRows = 0;
  let unsearched = 0;
  // The latest drops first: most searches are about them.
  for (const drop of drops.reverse()) {
    const { dropId } = drop;
    const rows = await count(ledger, unsent(dropId));
    const searched = Math.min(rows, maxRows - searchedRows);
    const first = unsent(dropId)
      .select(['r.line', presentCells.as('cells')])
      .orderBy('r.line');
    const likely = query.selectFrom(first.limit(boundLimit(searched)).as('r')).selectAll();
    for await (const { line, cells } of each(ledger, likely.where(mayName(texts)))) {
      if (predicate({ line, cells: cellsIn(cells) ?? [] }, drop)) matches.push({ dropId, line });
    }
    searchedRows += searched;
    unsearched += rows - searched;
  }
  return { rowRefs: matches.sort((a, b) => a.dropId - b.dropId || a.line - b.line), unsearched };
}

/**
 * Condition on present cells, as `r`: they may contain one of the texts, ignoring case. Engines change only the case of ASCII
 * alike, so it compares the longest piece of ASCII.
 */
function mayName(texts: readonly string[]): RawBuilder<boolean> {
  const conditions = texts.map((text) => {
    const json = JSON.stringify(text.toLowerCase()).slice(1, -1);
    const pieces = json.split(/[^ -~]+/).sort((one, other) => other.length - one.length);
    return contains(sql`lower(r.cells)`, pieces[0] ?? '');
  });
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** A drop's invalid and skipped rows. The condition is that of a partial index. */
function unsent(dropId: number) {
  return query
    .selectFrom('row as r')
    .where('drop_id', '=', dropId)
    .where(sql<boolean>`(disposition = 'invalid' or disposition = 'skipped')`);
}
