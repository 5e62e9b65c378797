import type { Row } from '../../domain/row.js';
import { packRows } from '../drops/rows/pack-rows.js';
import { change, type Ledger, prepared, query } from '../store/query.js';
import { blockSum } from '../submissions/record/checksum.js';

/** A block of rows whose cells, or some of them, are kept. */
export interface KeptBlock {
  readonly dropId: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Rows read between the two lines, blank ones among them. */
  readonly rows: number;
}

/** The blocks that still hold cells, in order, `count` at a time. Each page is read from the ledger when it is asked for. */
export function* keptBlocks(ledger: Ledger, count: number): Generator<readonly KeptBlock[]> {
  for (let after = { dropId: 0, firstLine: 0 }; ; ) {
    const blocks = prepared(ledger, NEXT_BLOCKS).all(after.dropId, after.firstLine, count) as KeptBlock[];
    const last = blocks.at(-1);
    if (!last) return;
    yield blocks;
    after = last;
  }
}

/** The same of one drop. */
export function* keptBlocksOf(
  ledger: Ledger,
  dropId: number,
  count: number,
): Generator<readonly KeptBlock[]> {
  for (let after = 0; ; ) {
    const blocks = prepared(ledger, NEXT_BLOCKS_OF).all(dropId, after, count) as KeptBlock[];
    const last = blocks.at(-1);
    if (!last) return;
    yield blocks;
    after = last.firstLine;
  }
}

const NEXT_BLOCKS = `select drop_id as dropId, first_line as firstLine, last_line as lastLine, rows from row_block
  where (drop_id, first_line) > (?, ?) and cells is not null order by drop_id, first_line limit ?`;

const NEXT_BLOCKS_OF = `select drop_id as dropId, first_line as firstLine, last_line as lastLine, rows from row_block
  where drop_id = ? and first_line > ? and cells is not null order by first_line limit ?`;

/**
 * Keeps only these rows of a block, as they are or with some of their cells emptied. Call in a write transaction, while a
 * decision to erase is open.
 */
export async function keepRows(ledger: Ledger, block: KeptBlock, rows: readonly Row[]): Promise<void> {
  const cells = rows.length === 0 ? null : Buffer.from(packRows(rows, () => true).cells);
  const sum = cells === null ? 0 : blockSum(block.dropId, { ...block, cells });
  await change(
    ledger,
    query
      .updateTable('row_block')
      .set({ cells, sum })
      .where('drop_id', '=', block.dropId)
      .where('first_line', '=', block.firstLine),
  );
}
