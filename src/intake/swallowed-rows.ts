import { type Cell, cellText, isDateCell } from '../domain/row.js';

/** Cells as a file has them around a cell that may have swallowed rows. */
export interface Surroundings {
  readonly width: number;
  readonly delimiter: string;
  /** The end of a row; any line end where the file names none. */
  readonly rowEnd: string | RegExp;
  /** What each column usually holds; it counts where the row itself shows nothing. */
  readonly usualKinds: readonly CellKind[];
}

export type CellKind = 'address' | 'date' | 'number' | 'code' | 'text' | 'blank';

/** A cell that holds rows of its own file, by its index. The line ends before it and in it show where. */
export interface Swallowed {
  readonly index: number;
  /** Line ends before the cell within its row. */
  readonly linesBefore: number;
  readonly lines: number;
}

/** Any line end: the end of a row where a file names no other. */
export const LINE_END = /\r\n|\n|\r/;

/**
 * The first cell that holds rows of the file, because an unclosed quote swallowed all up to the next one: its lines have the form of the
 * row itself, as many cells, with addresses, dates, numbers and codes where the row has them. null where all line ends belong to text.
 */
export function findSwallowed(cells: readonly Cell[], around: Surroundings): Swallowed | null {
  let linesBefore = 0;
  for (const [index, cell] of cells.entries()) {
    if (typeof cell !== 'string') continue;
    const lines = cell.split(around.rowEnd);
    if (lines.length === 1) continue;
    if (holdsRows(cells, index, lines, around)) return { index, linesBefore, lines: lines.length - 1 };
    linesBefore += lines.length - 1;
  }
  return null;
}

function holdsRows(
  cells: readonly Cell[],
  index: number,
  lines: readonly string[],
  { width, delimiter, usualKinds }: Surroundings,
): boolean {
  // After the cell comes the end of another row, which may have more cells or fewer.
  const after = cells.slice(index + 1);
  const kinds = Array.from({ length: width }, (_, column): CellKind => {
    if (column === index) return 'text';
    const own = kindOf(column < index ? cells[column] : after[after.length - (width - column)]);
    return own === 'text' || own === 'blank' ? (usualKinds[column] ?? own) : own;
  });
  const [first = '', ...others] = lines.map((line) => line.split(delimiter));
  const last = others.pop() ?? [];
  let similar = 0;
  for (const line of others) {
    const likeness = line.length === width ? compare(kinds, line) : 'other';
    if (likeness === 'similar') similar += 1;
    if (likeness === 'same' || similar > 1) return true;
  }
  // The end of the row in which the quote opens, and the beginning of the one in which it closes.
  const cellsAfter = width - index - 1;
  const ending = first.slice(Math.max(1, first.length - cellsAfter));
  if (ending.length !== cellsAfter || last.length !== index + 1) return false;
  return compare(kinds, [...last.slice(0, index), '', ...ending]) === 'same';
}

/** How much a line is like a row whose cells have these kinds. */
function compare(kinds: readonly CellKind[], line: readonly string[]): 'same' | 'similar' | 'other' {
  let distinctive = 0;
  let alike = 0;
  for (const [column, kind] of kinds.entries()) {
    if (kind === 'text' || kind === 'blank') continue;
    const own = kindOf(line[column]);
    if (own === 'blank') continue;
    if (own !== kind && (kind === 'address' || kind === 'date')) return 'other';
    if (own !== kind) continue;
    alike += 1;
    if (kind === 'address' || kind === 'date') distinctive += 1;
  }
  if (distinctive > 0 && (alike > 1 || kinds.length > 3)) return 'same';
  return distinctive > 0 || alike > 1 ? 'similar' : 'other';
}

export function usualKinds(rows: readonly (readonly Cell[])[], width: number): readonly CellKind[] {
  return Array.from({ length: width }, (_, column) => {
    const counts = new Map<CellKind, number>();
    for (const cells of rows) {
      const kind = kindOf(cells[column]);
      if (kind !== 'blank') counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'blank';
  });
}

function kindOf(cell: Cell | undefined): CellKind {
  if (isDateCell(cell)) return 'date';
  const text = cellText(cell).trim().replace(/^"|"$/g, '');
  if (text === '') return 'blank';
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return 'address';
  if (DATE.test(text)) return 'date';
  if (/^[\d.,%+-]+$/.test(text)) return 'number';
  return /^\S*\d\S*$/.test(text) ? 'code' : 'text';
}

const DATE =
  /^\d{1,4}([-/.])(?:\d{1,2}|\p{L}{3,})\1\d{1,4}(?!\d)|^\d{1,2} \p{L}{3,}\.? \d{4}|^\p{L}{3,} \d{1,2}, ?\d{4}/u;
