import { parseDropMark } from '../domain/files/attention-columns.js';
import { LEARNER_MARK, RIGHT_ADDRESS } from '../domain/files/guided-workbook.js';
import { cellText, isBlankCell, isBlankRow, type Row } from '../domain/row.js';

/** A file of corrections: a file that Registrar wrote for people to correct, recognised by its columns. */
export interface CorrectionFile {
  readonly kind: 'correction';
  /** At least one; exactly one for a text file. */
  readonly sheets: readonly CorrectionSheet[];
}

/** A sheet of a file of corrections, or a text file as a whole. */
export interface CorrectionSheet {
  /** `rows`: corrected rows of drops. `learners`: the right addresses of learners. */
  readonly of: 'rows' | 'learners';
  /** null for a text file. */
  readonly sheet: string | null;
  readonly headerLine: number;
  /** As the file has them: the original columns and ours, in whatever order a spreadsheet has left them. */
  readonly columns: readonly string[];
  /** The marks of drops that the first rows name. */
  readonly marks: readonly string[];
}

/** Without these columns no row can be matched to its original; other columns of ours may be missing. */
const NEEDED = { rows: ['_row', '_drop'], learners: [LEARNER_MARK, RIGHT_ADDRESS] } as const;

/** Rows in which the header is looked for: Registrar writes it first, but somebody may have added a few lines above. */
const SEARCHED_ROWS = 30;

/**
 * Recognises corrections by the first rows of a sheet, whatever its name; null where the sheet holds none. Where the sheet
 * has headers of both kinds, the upper one counts: rows of the other kind below it are reported, rows above a header are
 * not.
 */
export function correctionSheet(rows: readonly Row[], sheet: string | null): CorrectionSheet | null {
  const nonBlank = rows.filter(({ cells }) => !isBlankRow(cells));
  const place = nonBlank.slice(0, SEARCHED_ROWS).findIndex(({ cells }) => kindOf(cells) !== null);
  const header = nonBlank[place];
  const of = header === undefined ? null : kindOf(header.cells);
  if (header === undefined || of === null) return null;
  const last = header.cells.findLastIndex((cell) => !isBlankCell(cell));
  const columns = header.cells.slice(0, last + 1).map(cellText);
  const index = columns.findLastIndex((name) => nameOf(name) === '_drop');
  const named = nonBlank.slice(place + 1).map(({ cells }) => cellText(cells[index]).trim());
  const marks = [...new Set(named)].filter((text) => parseDropMark(text) !== null);
  return { of, sheet, headerLine: header.line, columns, marks };
}

/** The kind of sheet that has these cells as its header; null for no sheet of ours. */
function kindOf(cells: Row['cells']): CorrectionSheet['of'] | null {
  const isHeaderOf = (of: CorrectionSheet['of']) =>
    NEEDED[of].every((name) => cells.some((cell) => nameOf(cell) === name));
  if (isHeaderOf('learners')) return 'learners';
  return isHeaderOf('rows') ? 'rows' : null;
}

/** A header cell without what spreadsheets put around it. */
function nameOf(cell: Row['cells'][number]): string {
  return cellText(cell)
    .replace(/^\ufeff/, '')
    .trim();
}
