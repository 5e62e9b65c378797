import { sql } from 'kysely';
import type { Row } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import { textOfCells, unpackRows } from '../drops/rows/pack-rows.js';
import { blockWith, isBlockSound } from '../drops/rows/row-blocks.js';
import { all, type Ledger, prepared, query } from '../store/query.js';

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
 * @param mostBlocks the search stops there; a block has some hundred rows, and a hundred blocks take some 10 ms.
 */
export async function searchRows(
  ledger: Ledger,
  texts: readonly string[],
  fits: (row: Row, dropId: number) => Promise<boolean>,
  mostBlocks: number,
): Promise<SearchedRows> {
  const found: RowRef[] = [];
  const wanted = texts.map((text) => JSON.stringify(text.toLowerCase()).slice(1, -1));
  const drops = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select('drop_id as dropId')
      .where('state', '=', 'published')
      .where(({ or, eb }) => or([eb('invalid', '>', 0), eb('skipped', '>', 0)]))
      // People ask most about the latest drops.
      .orderBy('drop_id', 'desc'),
  );
  let blocks = 0;
  let left = 0;
  for (const { dropId } of drops) {
    for (let line = lineAfter(ledger, dropId, 0); line !== undefined; ) {
      if (blocks === mostBlocks) {
        left += linesWithin(ledger, dropId, line).length;
        break;
      }
      blocks += 1;
      const block = await blockWith(ledger, dropId, line);
      // A line that no block holds would be damage; it must not stop the search.
      const lastLine = Math.max(line, block?.lastLine ?? 0);
      if (block !== undefined && !isBlockSound(block)) {
        // The content of these lines is unknown.
        left += linesWithin(ledger, dropId, line, lastLine).length;
      } else if (block !== undefined && block.cells !== null && holdsAny(block.cells, wanted)) {
        const lines = new Set(linesWithin(ledger, dropId, line, lastLine));
        for (const row of unpackRows(block.cells)) {
          if (lines.has(row.line) && (await fits(row, dropId))) found.push({ dropId, line: row.line });
        }
      }
      line = lineAfter(ledger, dropId, lastLine);
    }
  }
  return { found: found.sort((a, b) => a.dropId - b.dropId || a.line - b.line), left };
}

function holdsAny(cells: Uint8Array, needles: readonly string[]): boolean {
  const text = textOfCells(cells).toLowerCase();
  return needles.some((needle) => text.includes(needle));
}

/** A drop's rows that were invalid or skipped. */
const SEARCHED = query
  .selectFrom('row')
  .select('line')
  .where('drop_id', '=', 0)
  .where('line', '>', 0)
  .where(sql<boolean>`disposition in ('invalid', 'skipped')`)
  .orderBy('line');

const NEXT_LINE = SEARCHED.limit(1).compile().sql;

/** The line of a drop's next such row; undefined: none follows. */
function lineAfter(ledger: Ledger, dropId: number, line: number): number | undefined {
  return prepared(ledger, NEXT_LINE).pluck().get(dropId, line) as number | undefined;
}

const LINES_WITHIN = SEARCHED.where('line', '<=', 0).compile().sql;

/** The lines of such rows of a drop, from one line to another. */
function linesWithin(ledger: Ledger, dropId: number, from: number, to = Number.MAX_SAFE_INTEGER): number[] {
  return prepared(ledger, LINES_WITHIN)
    .pluck()
    .all(dropId, from - 1, to) as number[];
}
