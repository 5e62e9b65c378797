import { parseDropMark } from '../domain/attention-columns.js';
import { cellText, isBlankCell, isBlankRow, type Row } from '../domain/row.js';

/** A file that was recognised as an attention file, corrected or not: its sheet, and the header with our columns. */
export interface AttentionSheet {
  readonly kind: 'attention';
  /** null for a text file. */
  readonly sheet: string | null;
  readonly headerLine: number;
  /** As the file has them: the original columns and ours, in whatever order a spreadsheet has left them. */
  readonly columns: readonly string[];
  /** The first mark below; null where none can be read. */
  readonly mark: string | null;
}

/** Without these two a row can't be found again; the other columns of ours may be gone. */
const NEEDED = ['_row', '_drop'] as const;

/** Somebody may have put a few lines above; an attention file itself has none. */
const SEARCHED_ROWS = 30;

/** Recognises an attention file by the first rows of a sheet, whatever its name; null: it is none. */
export function attentionSheet(rows: readonly Row[], sheet: string | null): AttentionSheet | null {
  const nonBlank = rows.filter(({ cells }) => !isBlankRow(cells));
  const place = nonBlank
    .slice(0, SEARCHED_ROWS)
    .findIndex(({ cells }) => NEEDED.every((name) => cells.some((cell) => nameOf(cellText(cell)) === name)));
  const header = nonBlank[place];
  if (header === undefined) return null;
  const last = header.cells.findLastIndex((cell) => !isBlankCell(cell));
  const columns = header.cells.slice(0, last + 1).map(cellText);
  const index = columns.findLastIndex((name) => nameOf(name) === '_drop');
  const marks = nonBlank.slice(place + 1).map(({ cells }) => cellText(cells[index]).trim());
  const mark = marks.find((text) => parseDropMark(text) !== null) ?? null;
  return { kind: 'attention', sheet, headerLine: header.line, columns, mark };
}

/**
 * True where the rows look like those of an attention file that was cut at the wrong delimiter: a source may declare
 * another than the one that its attention files are written or saved with.
 */
export function looksLikeAttention(rows: readonly Row[]): boolean {
  return rows.slice(0, SEARCHED_ROWS).some(({ cells }) => {
    const text = cells.map(cellText).join(' ');
    return NEEDED.every((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text));
  });
}

/** A header cell without what spreadsheets put around it. */
function nameOf(text: string): string {
  return text.replace(/^\ufeff/, '').trim();
}
