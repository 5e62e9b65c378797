import { isAscii } from 'node:buffer';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Cell, countRows, isBlankRow, type Row } from '../../../domain/row.js';

/** The cells of some rows of a drop, one after the other in line order, as the ledger keeps them. */
export interface RowBlock {
  readonly firstLine: number;
  readonly lastLine: number;
  /** Rows between the two lines, blank ones among them. */
  readonly rows: number;
  /** Deflated JSON: the lines, and the cells of each. Personal. */
  readonly cells: Uint8Array;
}

/** The fastest level: it already reduces an export's text to a fifth, and less writing saves half of its cost. */
const DEFLATE_LEVEL = 1;

/**
 * Packs the cells of rows that were read one after the other.
 * @param isKept false for a row whose cells must not be kept; blank rows have none anyway.
 */
export function packRows(rows: readonly Row[], isKept: (row: Row, index: number) => boolean): RowBlock {
  const kept = rows.filter((row, index) => isKept(row, index) && !isBlankRow(row.cells));
  const share = textSharer();
  const stray = kept.flatMap(({ strayQuotes }, index) =>
    strayQuotes ? [[index, strayQuotes] as const] : [],
  );
  const lines = kept.map(({ line }) => line);
  const cellsOf = kept.map(({ cells }) => share(cells));
  const packed: PackedCells = stray.length > 0 ? [lines, cellsOf, stray] : [lines, cellsOf];
  const cells = deflateRawSync(JSON.stringify(packed), { level: DEFLATE_LEVEL });
  const last = rows.at(-1);
  const lastLine = (last?.line ?? 0) + (last?.lines ?? 1) - 1;
  return { firstLine: rows[0]?.line ?? 0, lastLine, rows: countRows(rows), cells };
}

/** The rows of a block; none where it was erased. */
export function unpackRows(cells: Uint8Array | null): Row[] {
  if (cells === null) return [];
  const [lines, rows, stray] = JSON.parse(textOfCells(cells)) as PackedCells;
  const texts: string[] = [];
  const unpacked: Row[] = lines.map((line, index) => ({
    line,
    cells: (rows[index] ?? []).map((cell) => whole(cell, texts)),
  }));
  for (const [index, strayQuotes] of stray ?? []) {
    const row = unpacked[index];
    if (row) unpacked[index] = { ...row, strayQuotes };
  }
  return unpacked;
}

/** The JSON text of a block: a text in a cell stands in it as `JSON.stringify` writes it, at least once. Personal. */
export function textOfCells(cells: Uint8Array): string {
  const text = inflateRawSync(cells, { chunkSize: INFLATED_BYTES });
  // Decoding UTF-8 takes as long as inflating; most exports are mostly ASCII.
  return text.toString(isAscii(text) ? 'latin1' : 'utf8');
}

/** Room for most blocks; a larger block is joined from pieces. */
const INFLATED_BYTES = 65_536;

/** A cell with exactly the text of an earlier cell, by the number of that text among the long ones of the block. */
interface SameText {
  readonly same: number;
}

type PackedCells = readonly [
  lines: readonly number[],
  cells: readonly (readonly (Cell | SameText)[])[],
  /** Rows with stray quotes, by their index. */
  strayQuotes?: readonly (readonly [index: number, cells: readonly number[]])[],
];

/** From this length on a repeated text is kept once: shorter texts deflate well. */
const SHARED_FROM = 256;

/**
 * Keeps each long text of a block once. A small workbook may have one text in a hundred thousand cells, and deflating doesn't
 * shorten repeats that are more than 32 KB apart.
 */
function textSharer(): (cells: readonly Cell[]) => readonly (Cell | SameText)[] {
  const known = new Map<string, number>();
  const isLong = (cell: Cell) => typeof cell === 'string' && cell.length >= SHARED_FROM;
  return (cells) => {
    if (!cells.some(isLong)) return cells;
    return cells.map((cell) => {
      if (typeof cell !== 'string' || !isLong(cell)) return cell;
      const same = known.get(cell);
      if (same !== undefined) return { same };
      known.set(cell, known.size);
      return cell;
    });
  };
}

/** @param texts the long texts before the cell; a new long text is added to them. */
function whole(cell: Cell | SameText, texts: string[]): Cell {
  if (typeof cell === 'string' && cell.length >= SHARED_FROM) texts.push(cell);
  return typeof cell === 'object' && cell !== null && 'same' in cell ? (texts[cell.same] ?? null) : cell;
}
