import type { Cell, Row } from '../domain/row.js';
import { type RowBlock, unpackRows } from './pack-rows.js';
import { all, first, type Ledger, prepared, query } from './query.js';

/** Keeps a block. Call it in the transaction that writes its rows. */
export function insertRowBlock(ledger: Ledger, dropId: number, block: RowBlock): void {
  prepared(ledger, INSERT_BLOCK).run(dropId, block.firstLine, block.lastLine, block.rows, block.cells);
}

/** A drop's rows as they were read, in line order; blank and erased ones left out. Personal. */
export function* keptRows(ledger: Ledger, dropId: number): Generator<Row> {
  const firstLines = all(
    ledger,
    query
      .selectFrom('row_block')
      .select('first_line as firstLine')
      .where('drop_id', '=', dropId)
      .orderBy('first_line'),
  );
  // One query a block: the connection is free for heartbeats in between.
  for (const { firstLine } of firstLines) {
    yield* rowsOfBlock(ledger, { dropId, firstLine });
  }
}

/** The rows of a block as they are kept. Personal. */
export function rowsOfBlock(
  ledger: Ledger,
  { dropId, firstLine }: { readonly dropId: number; readonly firstLine: number },
): Row[] {
  const block = first(
    ledger,
    query
      .selectFrom('row_block')
      .select('cells')
      .where('drop_id', '=', dropId)
      .where('first_line', '=', firstLine),
  );
  return unpackRows(block?.cells ?? null);
}

/**
 * Looks up the cells of a drop's rows by line; null for a blank or an erased row. Remembers the last block: lines asked
 * in order unpack each block once. Personal.
 */
export function cellsByLine(ledger: Ledger, dropId: number): (line: number) => readonly Cell[] | null {
  let from = 0;
  let to = 0;
  let rows = new Map<number, readonly Cell[]>();
  return (line) => {
    if (line < from || line > to) {
      const block = blockWith(ledger, dropId, line);
      from = block?.firstLine ?? line;
      to = block?.lastLine ?? line;
      rows = new Map(unpackRows(block?.cells ?? null).map((row) => [row.line, row.cells]));
    }
    return rows.get(line) ?? null;
  };
}

function blockWith(ledger: Ledger, dropId: number, line: number) {
  return first(
    ledger,
    query
      .selectFrom('row_block')
      .select(['first_line as firstLine', 'last_line as lastLine', 'cells'])
      .where('drop_id', '=', dropId)
      .where('first_line', '<=', line)
      .orderBy('first_line', 'desc')
      .limit(1),
  );
}

const INSERT_BLOCK = query
  .insertInto('row_block')
  .values({ drop_id: 0, first_line: 0, last_line: 0, rows: 0, cells: Buffer.alloc(0) })
  .compile().sql;
