import type { Place } from '../../domain/place.js';
import type { Row } from '../../domain/row.js';
import { textOfCells, unpackRows } from '../drops/pack-rows.js';
import { blockWith, isBlockSound, type StoredBlock } from '../drops/row-blocks.js';
import { all, type Ledger, query } from '../store/query.js';

/** Rows that became no submission, looked through for a text. */
export interface SearchedRows {
  readonly found: readonly Place[];
  /** Rows that were left out because looking at all of them takes too long; 0: all were looked at. */
  readonly left: number;
}

/**
 * Looks for rows that were invalid or skipped and hold one of these texts, whatever its case: such a row has no learner
 * whose hash could be looked up, so the cells themselves are gone through.
 * @param fits decides whether a row that holds the text is meant.
 * @param mostBlocks stops there; some hundred rows are in a block, and a hundred blocks take some 10 ms.
 */
export async function searchRows(
  ledger: Ledger,
  texts: readonly string[],
  fits: (row: Row, dropId: number) => Promise<boolean>,
  mostBlocks: number,
): Promise<SearchedRows> {
  const found: Place[] = [];
  const wanted = texts.map((text) => JSON.stringify(text.toLowerCase()).slice(1, -1));
  const drops = await all(
    ledger,
    query
      .selectFrom('drop')
      .select(({ ref }) => ['drop_id as dropId', ref('invalid').as('invalid'), ref('skipped').as('skipped')])
      .where('state', '=', 'published')
      .where(({ or, eb }) => or([eb('invalid', '>', 0), eb('skipped', '>', 0)]))
      // What came in last is asked about most.
      .orderBy('drop_id', 'desc'),
  );
  let blocks = 0;
  let left = 0;
  for (const { dropId, invalid, skipped } of drops) {
    let seen = 0;
    for await (const page of linesByBlock(ledger, dropId)) {
      if (blocks === mostBlocks) break;
      blocks += 1;
      seen += page.lines.size;
      if (page.block === undefined || page.block.cells === null) continue;
      if (!isBlockSound(page.block)) {
        // Nobody can say what stood there.
        left += page.lines.size;
        continue;
      }
      const text = textOfCells(page.block.cells).toLowerCase();
      if (!wanted.some((needle) => text.includes(needle))) continue;
      for (const row of unpackRows(page.block.cells)) {
        if (page.lines.has(row.line) && (await fits(row, dropId))) found.push({ dropId, line: row.line });
      }
    }
    left += invalid + skipped - seen;
  }
  return { found: found.sort((a, b) => a.dropId - b.dropId || a.line - b.line), left };
}

interface BlockOfLines {
  readonly lines: ReadonlySet<number>;
  readonly block: StoredBlock | undefined;
}

/** A drop's blocks that hold an invalid or skipped row, with the lines of these. */
async function* linesByBlock(ledger: Ledger, dropId: number): AsyncGenerator<BlockOfLines> {
  const lines = (
    await all(
      ledger,
      query
        .selectFrom('row')
        .select('line')
        .where('drop_id', '=', dropId)
        .where('disposition', 'in', ['invalid', 'skipped'])
        .orderBy('line'),
    )
  ).map(({ line }) => line);
  for (let next = 0; next < lines.length; ) {
    const block = await blockWith(ledger, dropId, lines[next] ?? 0);
    const from = next;
    while (next < lines.length && (lines[next] ?? 0) <= (block?.lastLine ?? 0)) next += 1;
    // A line that no block holds would be damage; it must not stop the search.
    if (next === from) next += 1;
    yield { lines: new Set(lines.slice(from, next)), block };
  }
}
