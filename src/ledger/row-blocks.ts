import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Cell, isBlankRow, type Row } from '../domain/row.js';
import { all, first, type Ledger, prepared, query } from './query.js';

/** The cells of some rows of a drop, one after the other in line order, as the ledger keeps them. */
export interface RowBlock {
  readonly firstLine: number;
  readonly lastLine: number;
  /** Rows between the two lines, blank ones among them. */
  readonly rows: number;
  /** Deflated JSON: the lines, and the cells of each. Personal. */
  readonly cells: Uint8Array;
}

/** The fastest level: it already makes a fifth of an export's text, and half of what it costs is saved in writing. */
const DEFLATE_LEVEL = 1;

/**
 * Packs the cells of rows that were read one after the other.
 * @param isKept false for a row whose cells must not be kept; blank rows have none anyway.
 */
export function packRows(rows: readonly Row[], isKept: (row: Row, index: number) => boolean): RowBlock {
  const kept = rows.filter((row, index) => isKept(row, index) && !isBlankRow(row.cells));
  const packed: PackedCells = [kept.map(({ line }) => line), kept.map(({ cells }) => cells)];
  const cells = deflateRawSync(JSON.stringify(packed), { level: DEFLATE_LEVEL });
  return { firstLine: rows[0]?.line ?? 0, lastLine: rows.at(-1)?.line ?? 0, rows: rows.length, cells };
}

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
    const [block] = all(
      ledger,
      query
        .selectFrom('row_block')
        .select('cells')
        .where('drop_id', '=', dropId)
        .where('first_line', '=', firstLine),
    );
    yield* unpack(block?.cells ?? null);
  }
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
      rows = new Map(unpack(block?.cells ?? null).map((row) => [row.line, row.cells]));
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

type PackedCells = readonly [lines: readonly number[], cells: readonly (readonly Cell[])[]];

function unpack(cells: Uint8Array | null): Row[] {
  if (cells === null) return [];
  const [lines, rows] = JSON.parse(inflateRawSync(cells).toString()) as PackedCells;
  return lines.map((line, index) => ({ line, cells: rows[index] ?? [] }));
}

const INSERT_BLOCK = query
  .insertInto('row_block')
  .values({ drop_id: 0, first_line: 0, last_line: 0, rows: 0, cells: Buffer.alloc(0) })
  .compile().sql;
