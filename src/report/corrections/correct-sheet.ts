import { dropMark } from '../../domain/files/attention-columns.js';
import { taskColumns } from '../../domain/files/correction-workbook.js';
import { mapSeries } from '../../domain/process/series.js';
import { extraCells, textToCorrect } from '../../domain/row.js';
import { LONGEST_CELL } from '../../domain/text/clipped-text.js';
import {
  type AttentionRow,
  type AttentionRows,
  attentionRows,
  type ListedDrop,
} from '../../ledger/books/rows/listed-rows.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { fieldsOf } from '../read-fields.js';
import { actorOf, senderIssue, senderRefusal } from '../words/causes.js';
import type { Sheet, SheetColumn, SheetValue } from '../workbook/sheet.js';
import { SHEET_COLUMNS_MAX } from '../workbook/write-workbook.js';
import { workbookWords } from './workbook-words.js';

/** Rows of one source whose files have the same header, and which therefore share a sheet. */
export interface HeaderShape {
  readonly source: string;
  readonly header: readonly string[];
  readonly drops: readonly ListedDrop[];
  readonly rows: number;
}

/** False for a header that no sheet can hold: the CSV files have its rows. */
export function fitsSheet({ header }: HeaderShape): boolean {
  return (
    header.length + FIXED_COLUMNS <= SHEET_COLUMNS_MAX &&
    header.every((title) => title.length <= LONGEST_CELL)
  );
}

/**
 * The sheet of rows to correct for one header: what is wrong and what to do, then the file's own columns in their order,
 * and the two columns that say where the row belongs. A cell that is too long for a workbook is clipped, which its return undoes.
 */
export async function correctSheet(
  ledger: Ledger,
  name: string,
  shape: HeaderShape,
  selection: ReportSelection,
): Promise<Sheet> {
  const tables = await mapSeries(shape.drops, async (drop) => ({
    drop,
    inNeed: await attentionRows(ledger, drop.drop, selection),
  }));
  const room = SHEET_COLUMNS_MAX - shape.header.length - FIXED_COLUMNS;
  const extra = Math.min(room, Math.max(0, ...tables.map(({ inNeed }) => inNeed.extraCells)));
  return {
    name,
    columns: columnsOf(shape, extra),
    rows: rowsOf(tables, extra),
  };
}

/** Our two in front, and two at the end. */
const FIXED_COLUMNS = 4;

function columnsOf({ header }: HeaderShape, extra: number): SheetColumn[] {
  const { guide, place } = workbookWords();
  const ours = taskColumns(header);
  return [
    ...guide.map((column, index) => ({ ...column, header: ours[index] ?? column.header })),
    ...header.map((title): SheetColumn => ({ header: title, kind: 'text' })),
    ...place,
    ...Array.from(
      { length: extra },
      (): SheetColumn => ({ header: '', kind: 'text', styleName: 'added', width: 16 }),
    ),
  ];
}

async function* rowsOf(
  tables: readonly { readonly drop: ListedDrop; readonly inNeed: AttentionRows }[],
  extra: number,
): AsyncGenerator<readonly SheetValue[]> {
  for (const { drop, inNeed } of tables) {
    for await (const rows of byLine(inNeed)) yield rowOf(drop, rows, extra);
  }
}

type Rows = readonly [AttentionRow, ...AttentionRow[]];

/** Groups rows by line: a row that lists several things has a submission for each, and is corrected once. */
async function* byLine(rows: AsyncIterable<AttentionRow>): AsyncGenerator<Rows> {
  let together: [AttentionRow, ...AttentionRow[]] | null = null;
  for await (const row of rows) {
    if (actorOf(row) !== 'sender') continue;
    if (together !== null && together[0].line === row.line) together.push(row);
    else {
      if (together !== null) yield together;
      together = [row];
    }
  }
  if (together !== null) yield together;
}

function rowOf(drop: ListedDrop, rows: Rows, extra: number): SheetValue[] {
  const { header } = drop;
  const [{ line, cells: stored, correctedBy }] = rows;
  const cells = stored ?? [];
  const faults = rows.flatMap((row) => faultsOf(drop, row));
  const wrong = new Set(faults.flatMap(({ columns }) => columns));
  const value = (index: number): SheetValue => {
    const text = textToCorrect(cells[index]);
    return wrong.has(index) ? { wrong: text } : text;
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
    return [{ isShift: false, ...senderRefusal(row), columns: refusedColumns(drop, row) }];
  }
  return row.issues.map((issue) => ({
    isShift: issue.code === 'row-ragged',
    ...senderIssue(issue, header),
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
  const detail = row.detail ?? '';
  const words = `${detail} ${row.offending ?? ''}`;
  const names = new Set(words.toLowerCase().split(/[^\p{L}\p{N}-]+/u));
  return fieldsOf({ operation, mapping, header, cells, record: row.record }).flatMap(
    ({ name, column, inFile, asRead }) => {
      if (column === null) return [];
      const isNamed = names.has(name);
      const isQuoted = [inFile, asRead].some((value) => value && words.includes(value));
      return isNamed || isQuoted ? [header.indexOf(column)] : [];
    },
  );
}

function remediesOf(faults: readonly Fault[]): string[] {
  const shifts = faults.filter(({ isShift }) => isShift);
  if (shifts.length === 0 || shifts.length === faults.length) return faults.map(({ remedy }) => remedy);
  return [...shifts.map(({ remedy }) => remedy), 'Then check whether anything else is wrong.'];
}

function lineEach(sentences: readonly string[]): string {
  return [...new Set(sentences)].join('\n');
}
