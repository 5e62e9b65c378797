import type { Cell } from '../../../domain/row.js';
import { type CellRange, isSeveral, rangeOf } from './cell-range.js';

/** Applies a sheet's merges to its rows. A merge shows its first cell; the other cells under it are invisible. */
export interface MergedCells {
  /** A row as it is about to be given, in the order of lines. May clear cells of it. */
  row(line: number, cells: Cell[]): void;
  /** Takes a merge, as the sheet lists it after all of its rows. */
  range(reference: string): void;
}

/** Clears what lies under merges that are known before the rows are read. */
export function clearUnder(ranges: readonly CellRange[]): MergedCells {
  const waiting = ranges.filter(isSeveral).sort((a, b) => a.top - b.top);
  let next = 0;
  let open: CellRange[] = [];
  return {
    row: (line, cells) => {
      for (let range = waiting[next]; range !== undefined && range.top <= line; range = waiting[next]) {
        open.push(range);
        next += 1;
      }
      if (open.length === 0) return;
      open = open.filter(({ bottom }) => bottom >= line);
      for (const { top, left, right } of open) {
        const last = Math.min(right, cells.length);
        for (let at = line === top ? left : left - 1; at < last; at += 1) cells[at] = null;
      }
      while (cells.length > 0 && cells[cells.length - 1] === null) cells.pop();
    },
    range: () => {},
  };
}

/** Rows whose cells are kept until the sheet's end: titles and headers are what people merge. */
const KEPT_ROWS = 64;

/**
 * Leaves the rows as they are, and reports at the sheet's end that some were given with cells under a merge. It also reports a
 * merge further down than the first rows: those aren't kept, so their cells are unknown.
 */
export function watchMerges(onCovered: () => void): MergedCells {
  const kept: { readonly line: number; readonly cells: readonly Cell[] }[] = [];
  let lastLine = 0;
  let isReported = false;
  return {
    row: (line, cells) => {
      lastLine = line;
      if (kept.length < KEPT_ROWS) kept.push({ line, cells });
    },
    range: (reference) => {
      const range = isReported ? null : rangeOf(reference);
      if (!isSeveral(range) || range.top > lastLine || !mayCover(range)) return;
      isReported = true;
      onCovered();
    },
  };

  function mayCover(range: CellRange): boolean {
    const keptTo = kept.length < KEPT_ROWS ? lastLine : (kept.at(-1)?.line ?? 0);
    return range.bottom > keptTo && lastLine > keptTo ? true : kept.some((row) => holdsUnder(row, range));
  }
}

function holdsUnder(
  { line, cells }: { readonly line: number; readonly cells: readonly Cell[] },
  { top, left, bottom, right }: CellRange,
): boolean {
  if (line < top || line > bottom) return false;
  return cells.slice(line === top ? left : left - 1, right).some((cell) => cell !== null);
}
