import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Cell, isBlankRow, type Row } from '../domain/row.js';

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

/** The rows of a block; none where it was erased. */
export function unpackRows(cells: Uint8Array | null): Row[] {
  if (cells === null) return [];
  const [lines, rows] = JSON.parse(inflateRawSync(cells).toString()) as PackedCells;
  return lines.map((line, index) => ({ line, cells: rows[index] ?? [] }));
}

type PackedCells = readonly [lines: readonly number[], cells: readonly (readonly Cell[])[]];
