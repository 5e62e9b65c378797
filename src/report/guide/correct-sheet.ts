import { dropMark } from '../../domain/files/attention-columns.js';
import { guideColumns } from '../../domain/files/guided-workbook.js';
import { mapSeries } from '../../domain/process/series.js';
import { extraCells, textToCorrect } from '../../domain/row.js';
import { repeatClipper } from '../../domain/text/clipped-text.js';
import { mentionsIn } from '../../domain/text/text-mentions.js';
import {
  type AttentionRow,
  type AttentionRows,
  attentionRows,
} from '../../ledger/books/rows/attention-rows.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { fieldsOf } from '../shown-row.js';
import { plainIssue, plainRefusal, whoActs } from '../words/causes.js';
import {
  type MarkedText,
  type Sheet,
  type SheetColumn,
  type SheetValue,
  shownText,
} from '../workbook/sheet.js';
import { LONGEST_CELL } from '../workbook/workbook-text.js';
import { SHEET_COLUMNS_MAX } from '../workbook/write-workbook.js';
import type { HeaderShape } from './survey.js';
import { workbookWords } from './workbook-words.js';

/** What a sheet of rows to correct is made from. */
export interface CorrectSheet {
  readonly name: string;
  readonly shape: HeaderShape;
  readonly selection: ReportSelection;
  readonly rowsMax: number;
}

/**
 * The sheet of rows to correct for one header: what is wrong and what to do, then the file's own columns in their order,
 * and the two columns that say where the row belongs. null where a workbook can't hold such columns at all.
 * @param leftOut takes what no sheet can hold: sheet, file, row, and why.
 */
export async function correctSheet(
  ledger: Ledger,
  sheet: CorrectSheet,
  leftOut: SheetValue[][],
): Promise<Sheet | null> {
  const { name, shape } = sheet;
  const { header } = shape;
  const found = await mapSeries(shape.drops, async (drop) => ({
    drop,
    inNeed: await attentionRows(ledger, drop.drop, sheet.selection),
  }));
  const extra = Math.max(0, ...found.map(({ inNeed }) => inNeed.extraCells));
  const width = header.length + FIXED_COLUMNS + extra;
  if (width > SHEET_COLUMNS_MAX || header.some((title) => title.length > LONGEST_CELL)) {
    const files = shape.drops.map(({ file }) => file).join(', ');
    leftOut.push([name, files, 'all', `A sheet has ${SHEET_COLUMNS_MAX} columns at most, and ${CELL_RULE}.`]);
    return null;
  }
  return {
    name,
    columns: columnsOf(shape, extra),
    rows: rowsOf(found, sheet, extra, leftOut),
    whenFull: '',
    frozenColumns: 1,
  };
}

/** Our two in front, and two at the end. */
const FIXED_COLUMNS = 4;

const CELL_RULE = `a cell of a workbook holds ${LONGEST_CELL} characters at most`;

function columnsOf({ header, faulty, drops }: HeaderShape, extra: number): SheetColumn[] {
  const { guide, place } = workbookWords();
  const ours = guideColumns(header);
  const used = new Set(drops.flatMap(({ mapping }) => Object.values(mapping)));
  const others = header.filter((title) => !used.has(title) && !faulty.has(title)).length;
  const left = SCREEN_WIDTH - (header.length - others) * USUAL_WIDTH;
  const least = header.length > FEW ? NARROWEST_ORIGINAL : USUAL_WIDTH;
  const narrow = Math.min(WIDEST_ORIGINAL, Math.max(least, Math.floor(left / Math.max(1, others))));
  const fitting = (title: string) => (used.has(title) || faulty.has(title) ? WIDEST_ORIGINAL : narrow);
  return [
    ...guide.map((column, index) => ({ ...column, header: ours[index] ?? column.header })),
    ...header.map((title): SheetColumn => ({ header: title, kind: 'text', widest: fitting(title) })),
    ...place,
    ...Array.from(
      { length: extra },
      (): SheetColumn => ({ header: '', kind: 'text', look: 'added', width: 16 }),
    ),
  ];
}

const WIDEST_ORIGINAL = 32;
/** The narrowest column, in characters: wide enough to be seen and pulled wider. */
const NARROWEST_ORIGINAL = 4;
/** Characters that fit beside our two columns on a screen of 1,440 pixels, and the usual width of an export's column. */
const SCREEN_WIDTH = 115;
const USUAL_WIDTH = 18;
/** Up to so many columns all stay readable. */
const FEW = 10;

async function* rowsOf(
  found: readonly { readonly drop: ListedDrop; readonly inNeed: AttentionRows }[],
  { name, rowsMax }: CorrectSheet,
  extra: number,
  leftOut: SheetValue[][],
): AsyncGenerator<readonly SheetValue[]> {
  let lines = 1;
  for (const { drop, inNeed } of found) {
    // A clipped text names the row with the whole text by its line in the drop.
    const clip = repeatClipper();
    for await (const rows of byLine(inNeed)) {
      const [{ line }] = rows;
      if (lines === rowsMax) {
        leftOut.push([name, drop.file, `${line} and all after it`, `A sheet has ${rowsMax} rows at most.`]);
        break;
      }
      const values = rowOf(drop, rows, extra, clip);
      if (values.every((value) => shownText(value).length <= LONGEST_CELL)) {
        lines += 1;
        yield values;
      } else {
        leftOut.push([name, drop.file, String(line), `It has a longer cell: ${CELL_RULE}.`]);
      }
    }
  }
}

type Rows = readonly [AttentionRow, ...AttentionRow[]];

/** Groups rows by line: a row that lists several things has a submission for each, and is corrected once. */
async function* byLine(rows: AsyncIterable<AttentionRow>): AsyncGenerator<Rows> {
  let together: [AttentionRow, ...AttentionRow[]] | null = null;
  for await (const row of rows) {
    if (whoActs(row) !== 'sender') continue;
    if (together !== null && together[0].line === row.line) together.push(row);
    else {
      if (together !== null) yield together;
      together = [row];
    }
  }
  if (together !== null) yield together;
}

function rowOf(
  drop: ListedDrop,
  rows: Rows,
  extra: number,
  clip: ReturnType<typeof repeatClipper>,
): SheetValue[] {
  const { header } = drop;
  const [{ line, cells: kept, correctedBy }] = rows;
  const cells = kept ?? [];
  const faults = rows.flatMap((row) => faultsOf(drop, row));
  const marks = new Map<number, string>();
  for (const { wrong, remedy, columns } of faults) {
    for (const column of columns) {
      marks.set(column, lineEach([...(marks.get(column)?.split('\n') ?? []), `${wrong} ${remedy}`]));
    }
  }
  const value = (index: number): string | MarkedText => {
    const text = clip(textToCorrect(cells[index]), line);
    const note = marks.get(index);
    return note === undefined ? text : { text, note };
  };
  return [
    lineEach(faults.map(({ wrong }) => wrong)),
    lineEach(remediesOf(faults)),
    ...header.map((_, index) => value(index)),
    String(line),
    dropMark(drop.drop, drop.sha256, correctedBy),
    ...Array.from({ length: extra }, (_, index) => value(header.length + index)),
  ];
}

interface Fault {
  /** True where the row's cells have shifted; its other issues mostly follow from that. */
  readonly isShift: boolean;
  readonly wrong: string;
  readonly remedy: string;
  /** Indexes of the cells that the words are about. */
  readonly columns: readonly number[];
}

function faultsOf(drop: ListedDrop, row: AttentionRow): Fault[] {
  const { header } = drop;
  const cells = row.cells ?? [];
  if (row.state !== 'invalid') {
    return [{ isShift: false, ...plainRefusal(row), columns: refusedColumns(drop, row) }];
  }
  return row.issues.map((issue) => ({
    isShift: issue.code === 'row-ragged',
    ...plainIssue(issue, header),
    columns:
      issue.code === 'row-ragged'
        ? Array.from({ length: extraCells(cells, header) }, (_, index) => header.length + index)
        : issue.column === null || !header.includes(issue.column)
          ? []
          : [header.indexOf(issue.column)],
  }));
}

/** Indexes of the cells that the platform's words are about: the words name the value or the attribute. */
function refusedColumns(drop: ListedDrop, row: AttentionRow): number[] {
  const { operation, mapping, header } = drop;
  const cells = row.cells ?? [];
  const said = row.detail ?? '';
  const words = `${said} ${row.offending ?? ''}`;
  return fieldsOf({ operation, mapping, header, cells, record: row.record }).flatMap(
    ({ field, column, inFile, asRead }) => {
      if (column === null) return [];
      const isNamed = mentionsIn(words, [field.name]).length > 0;
      const isQuoted = [inFile, asRead].some(
        (value) =>
          value !== null &&
          value !== '' &&
          (value === row.offending || (value.length > 2 && said.includes(value))),
      );
      return isNamed || isQuoted ? [header.indexOf(column)] : [];
    },
  );
}

function remediesOf(faults: readonly Fault[]): string[] {
  const shifts = faults.filter(({ isShift }) => isShift);
  if (shifts.length === 0 || shifts.length === faults.length) return faults.map(({ remedy }) => remedy);
  return [...shifts.map(({ remedy }) => remedy), 'Then look whether anything else is still wrong.'];
}

function lineEach(sentences: readonly string[]): string {
  return [...new Set(sentences)].join('\n');
}
