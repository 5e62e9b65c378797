import { ATTENTION_COLUMNS, parseDropMark } from '../domain/files/attention-columns.js';
import { LEARNER_MARK, OURS, RIGHT_ADDRESS, TASK_COLUMNS } from '../domain/files/correction-workbook.js';
import { type Issue, issueOf, type Refused, refused } from '../domain/issue.js';
import { cellText, isBlankCell, isBlankRow, type Row } from '../domain/row.js';
import { unescapeFormula } from '../domain/text/formula-text.js';

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
  readonly sheet: string | null;
  readonly headerLine: number;
  /** As the file has them: the original columns and ours, in whatever order a spreadsheet has left them. */
  readonly columns: readonly string[];
  /** The marks of drops that the first rows name. */
  readonly marks: readonly string[];
}

/** Without these columns no row can be matched to its original; other columns of ours may be missing. */
const NEEDED = { rows: ['_row', '_drop'], learners: [LEARNER_MARK, RIGHT_ADDRESS] } as const;

/** Rows in which the header is looked for: Registrar writes it first, but a person may have added a few lines above. */
const SEARCHED_ROWS = 30;

/** Recognises corrections by the first rows of a sheet; null where it holds none. Of headers of both kinds, the upper one counts. */
export function correctionSheet(rows: readonly Row[], sheet: string | null): CorrectionSheet | null {
  const nonBlank = rows.filter(({ cells }) => !isBlankRow(cells));
  const header = nonBlank.slice(0, SEARCHED_ROWS).find(({ cells }) => kindOf(cells) !== null);
  const of = header && kindOf(header.cells);
  if (!header || !of) return null;
  const last = header.cells.findLastIndex((cell) => !isBlankCell(cell));
  const columns = header.cells.slice(0, last + 1).map(cellText);
  const index = columns.findLastIndex((name) => nameOf(name) === '_drop');
  const below = nonBlank.filter(({ line }) => line > header.line);
  const named = below.map(({ cells }) => cellText(cells[index]).trim());
  const marks = [...new Set(named)].filter((text) => parseDropMark(text) !== null);
  return { of, sheet, headerLine: header.line, columns, marks };
}

/** The kind of sheet that has these cells as its header; null for any other sheet. */
function kindOf(cells: Row['cells']): CorrectionSheet['of'] | null {
  const names = new Set(cells.map(nameOf));
  const kinds = ['learners', 'rows'] as const;
  return kinds.find((of) => NEEDED[of].every((name) => names.has(name))) ?? null;
}

/** A header cell without what spreadsheets put around it. */
function nameOf(cell: Row['cells'][number]): string {
  return cellText(cell)
    .replace(/^\ufeff/, '')
    .trim();
}

/** Where the columns of a corrected attention file are, by their index in the file. */
export interface AttentionLayout {
  readonly kind: 'layout';
  /** For each original column, in the original's order. */
  readonly originals: readonly number[];
  readonly row: number;
  readonly drop: number;
  /** From this index on cells have no header: they are the cells that the original row had beyond its header. */
  readonly extrasFrom: number;
}

/**
 * Finds the original columns and ours in a corrected attention file, in whatever order; columns of the same name keep theirs. Refused
 * with the whole difference where an original column is missing or renamed, or a column is neither original nor ours.
 */
export function attentionLayout(
  columns: readonly string[],
  headerLine: number,
  header: readonly string[],
  file: string,
): AttentionLayout | Refused {
  const unplaced = new Map(columns.map((name, index) => [index, name]));
  // Registrar writes its own columns last: of two columns with the same name the first is the original one.
  const originals = header.map((wanted) => {
    const index = [...unplaced].find(([, name]) => isSame(name, wanted))?.[0] ?? -1;
    unplaced.delete(index);
    return index;
  });
  const ours = new Map<string, number>();
  for (const [index, name] of unplaced) {
    if (!OUR_COLUMNS.has(name.trim()) || ours.has(name.trim())) continue;
    ours.set(name.trim(), index);
    unplaced.delete(index);
  }
  const missing = header.filter((_, position) => originals[position] === -1);
  const added = [...unplaced.values()];
  const row = ours.get('_row');
  const drop = ours.get('_drop');
  if (missing.length > 0 || added.length > 0 || row === undefined || drop === undefined) {
    return refused(changedColumns(headerLine, file, missing, added));
  }
  return { kind: 'layout', originals, row, drop, extrasFrom: columns.length };
}

const OUR_COLUMNS: ReadonlySet<string> = new Set([
  ...ATTENTION_COLUMNS,
  ...TASK_COLUMNS.flatMap((name) => [name, `${name}${OURS}`]),
]);

function isSame(name: string, wanted: string): boolean {
  const [is, should] = [name, wanted].map((text) => text.normalize('NFC').replace(/\s+/g, ' ').trim());
  return is === should || unescapeFormula(is ?? '') === should;
}

function changedColumns(
  line: number,
  file: string,
  missing: readonly string[],
  added: readonly string[],
): Issue {
  const list = (names: readonly string[]) =>
    names.map((name) => (name.trim() === '' ? 'one without a name' : `"${name}"`)).join(', ');
  const differences = [
    ...(missing.length > 0 ? [`missing: ${list(missing)}`] : []),
    ...(added.length > 0 ? [`not in the original: ${list(added)}`] : []),
  ];
  return issueOf(
    'attention-columns-changed',
    missing[0] ?? added[0] ?? null,
    `the header in line ${line} is not that of ${file} with the columns of an attention file: ${differences.join('; ')}`,
    'give the columns the names they had, and remove added ones; correct cells, not headers. Then put the file into the inbox again',
  );
}
