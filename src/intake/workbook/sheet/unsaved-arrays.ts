import type { Cell } from '../../../domain/row.js';
import { UNSAVED_FORMULA } from '../../../domain/row.js';
import type { CellRange } from './cell-range.js';

/** Stands for a formula without a saved value; one object for all, because they may be many. */
export const UNSAVED: Cell = { error: UNSAVED_FORMULA };

/**
 * Cells of array formulas whose values were not saved: only the first cell of each holds the formula, the others are empty in the
 * file, and their rows may be missing altogether.
 */
export interface UnsavedArrays {
  add(range: CellRange): void;
  /** Marks such cells of a row where they are empty. */
  mark(line: number, cells: Cell[]): void;
  /** The first line from this one on that has such a cell; null: there is none. */
  nextFrom(line: number): number | null;
}

export function unsavedArrays(): UnsavedArrays {
  let ranges: CellRange[] = [];
  return {
    add: (range) => {
      ranges.push(range);
    },
    mark: (line, cells) => {
      for (const { top, left, bottom, right } of ranges) {
        if (line < top || line > bottom) continue;
        while (cells.length < right) cells.push(null);
        for (let at = left - 1; at < right; at += 1) cells[at] ??= UNSAVED;
      }
      ranges = ranges.filter(({ bottom }) => bottom > line);
    },
    nextFrom: (line) => {
      const lines = ranges.filter(({ bottom }) => bottom >= line).map(({ top }) => Math.max(top, line));
      return lines.length === 0 ? null : lines.reduce((least, each) => Math.min(least, each));
    },
  };
}
