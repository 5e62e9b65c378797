import type { Cell } from '../../domain/row.js';
import type { Reading } from './reading.js';

/** Texts remembered for one column: courses, statuses and scores are few, and a column of many is cheap to forget. */
const MAX_TEXTS = 1_024;

/** Longer texts hardly repeat, and would make the memory large. */
const LONGEST_TEXT = 128;

/**
 * A reader with its results cached by text. Only for readers whose result depends on the cell alone. Cells that aren't texts are
 * read each time; when too many texts have come, all are forgotten.
 */
export function remembering<T>(read: (cell: Cell | undefined) => Reading<T>): typeof read {
  const readings = new Map<string, Reading<T>>();
  return (cell) => {
    if (typeof cell !== 'string' || cell.length > LONGEST_TEXT) return read(cell);
    const known = readings.get(cell);
    if (known !== undefined) return known;
    if (readings.size === MAX_TEXTS) readings.clear();
    const text = copyOf(cell);
    const reading = read(text);
    readings.set(text, reading);
    return reading;
  };
}

/** A cell may be a piece of a large text that was read from the file, and would keep all of it in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
