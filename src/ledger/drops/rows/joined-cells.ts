import { isBlankRow, type Row } from '../../../domain/row.js';

/**
 * The cells of some rows of a drop, as they cross from the reader's thread to the writer's: one text for all rows. A text for each
 * row would cost both threads more. Personal.
 */
export interface JoinedCells {
  /** A line for each row, blank ones among them: the JSON of its cells; empty where none are kept. */
  readonly text: string;
  /** By line of the drop, for the few rows that have any: the JSON of the indexes of cells with stray quotes. */
  readonly strayQuotes: ReadonlyMap<number, string>;
}

/**
 * Joins the cells of rows that were read one after the other.
 * @param isKept false for a row whose cells must not be kept; blank rows have none anyway.
 */
export function joinCells(
  rows: readonly Row[],
  isKept: (row: Row, index: number) => boolean = () => true,
): JoinedCells {
  const strayQuotes = new Map<number, string>();
  const texts = rows.map((row, index) => {
    if (isBlankRow(row.cells) || !isKept(row, index)) return '';
    if (row.strayQuotes) strayQuotes.set(row.line, JSON.stringify(row.strayQuotes));
    return JSON.stringify(row.cells);
  });
  return { text: texts.join('\n'), strayQuotes };
}
