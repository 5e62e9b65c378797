import type { AttentionTable } from './attention-table.js';
import { LONGEST_CELL } from './workbook-text.js';
import {
  SHEET_COLUMNS_MAX,
  SHEET_ROWS_MAX,
  type Sheet,
  type SheetColumn,
  writeWorkbook,
} from './write-workbook.js';

/**
 * Writes the workbook that people correct: the same cells as the attention CSV, all of them text, so that no spreadsheet
 * takes an identifier for a number or a date. What a workbook can't hold is named on a second sheet.
 * @param rowsMax for tests alone.
 */
export function writeAttentionWorkbook(
  path: string,
  table: AttentionTable,
  rowsMax = SHEET_ROWS_MAX,
): Promise<void> {
  return writeWorkbook(path, sheetsOf(table, rowsMax), rowsMax);
}

function* sheetsOf(table: AttentionTable, rowsMax: number): Generator<Sheet> {
  const leftOut: LeftOut[] = [];
  const columns: readonly SheetColumn[] = [
    ...table.original.map((header) => ({ header, kind: 'text' as const })),
    ...table.added.map((header) => ({ header, kind: 'text' as const, isAdded: true })),
  ];
  if (columns.length > SHEET_COLUMNS_MAX || !columns.every(({ header }) => fits(header))) {
    leftOut.push(['all', `A workbook has ${SHEET_COLUMNS_MAX} columns at most, and ${CELL_RULE}.`]);
  } else {
    yield { name: 'Attention', columns, rows: fitting(table, rowsMax, leftOut), whenFull: '' };
  }
  if (leftOut.length > 0) {
    const headings = ['Row', 'Why it is in the CSV file alone'];
    yield {
      name: 'Left out',
      columns: headings.map((header) => ({ header, kind: 'text', isAdded: true })),
      rows: leftOut,
      whenFull: 'There are more.',
    };
  }
}

/** Which row, and why. */
type LeftOut = readonly [row: string, why: string];

/** The rows that a sheet holds; the others are noted. */
function* fitting(table: AttentionTable, rowsMax: number, leftOut: LeftOut[]): Generator<readonly string[]> {
  let lines = 1;
  for (const row of table.rows()) {
    const line = row[table.original.length] ?? '';
    if (lines === rowsMax) {
      leftOut.push([`${line} and all after it`, `A sheet has ${rowsMax} rows at most.`]);
      return;
    }
    if (row.every(fits)) {
      lines += 1;
      yield row;
    } else {
      leftOut.push([line, `It has a longer cell: ${CELL_RULE}.`]);
    }
  }
}

const CELL_RULE = `a cell of a workbook holds ${LONGEST_CELL} characters at most`;

function fits(text: string): boolean {
  return text.length <= LONGEST_CELL;
}
