import fc from 'fast-check';
import type { FieldValue } from '../../src/domain/record.js';
import { workbookParts } from '../support/workbook-parts.js';
import { writeZip } from '../support/write-zip.js';

/** A cell of a table: what it shows, or in a workbook a number, a date of it, or a formula without a saved value. */
export type TableCell = string | number | { readonly serial: number } | { readonly formula: string };

/** An export and its true content, before or after damage. */
export interface Table {
  readonly columns: readonly string[];
  /** In file order, each with a cell for each column. */
  readonly rows: readonly (readonly TableCell[])[];
  /** What each row says by its learner, who is in one row alone; null: that the learner has not completed. */
  readonly truth: ReadonlyMap<string, Readonly<Record<string, FieldValue>> | null>;
  readonly dates: DateForm;
}

type Column = 'Email' | 'Course ID' | 'Course Name' | 'Completed on' | 'Score' | 'Status' | 'Remarks';

export type DateForm = 'iso' | 'day.month' | 'day/month' | 'month/day';

const ALL: readonly Column[] = [
  'Email',
  'Course ID',
  'Course Name',
  'Completed on',
  'Score',
  'Status',
  'Remarks',
];

/** One export of few courses; `words` are in their identifiers and names. */
export function anyTable(
  words: readonly string[],
  forms: readonly DateForm[] = ['iso', 'day.month', 'day/month', 'month/day'],
): fc.Arbitrary<Table> {
  const courses = words.map((word, n) => ({ id: `${word}-${n}`, name: `${word} ${word}` }));
  const row = fc.record({
    course: fc.nat(courses.length - 1),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    score: fc.option(fc.integer({ min: 2, max: 100 })),
    status: fc.constantFrom('Completed', 'Passed', 'Failed', 'In progress'),
    remark: fc.constantFrom('', '', 'late', 'by hand, at the desk'),
  });
  return fc
    .record({
      columns: fc.shuffledSubarray([...ALL], { minLength: ALL.length, maxLength: ALL.length }),
      dates: fc.constantFrom(...forms),
      isRemarked: fc.boolean(),
      drawn: fc.array(row, { minLength: 6, maxLength: 25 }),
      // The order is proven, and each kind of status is there.
      late: fc.integer({ min: 13, max: 28 }),
    })
    .map(({ columns, dates, isRemarked, drawn, late }): Table => {
      const used = isRemarked ? columns : columns.filter((column) => column !== 'Remarks');
      const all = drawn.map((one, n) => (n === 0 ? { ...one, day: late, score: 80 } : one));
      const truth = new Map<string, Readonly<Record<string, FieldValue>> | null>();
      const rows = all.map((one, n) => {
        const email = `learner${n}@example.org`;
        const course = courses[one.course] as (typeof courses)[number];
        const isDone = one.status === 'Completed' || one.status === 'Passed';
        truth.set(email, isDone ? completionFields(email, course.id, one) : null);
        const cells: Readonly<Record<Column, TableCell>> = {
          Email: email,
          'Course ID': course.id,
          'Course Name': course.name,
          'Completed on': dateText(dates, one.day, one.month),
          Score: one.score ?? '',
          Status: one.status,
          Remarks: one.remark,
        };
        return used.map((column) => cells[column]);
      });
      return { columns: used, rows, truth, dates };
    });
}

function completionFields(
  email: string,
  contentId: string,
  { day, month, score }: { readonly day: number; readonly month: number; readonly score: number | null },
): Readonly<Record<string, FieldValue>> {
  const at = `2024-${two(month)}-${two(day)}T00:00:00.000Z`;
  const fields = { 'user-id': email, 'content-id': contentId, 'completed-at': at };
  return score === null ? fields : { ...fields, percentile: score };
}

export function dateText(form: DateForm, day: number, month: number): string {
  const [d, m] = [two(day), two(month)];
  if (form === 'iso') return `2024-${m}-${d}`;
  if (form === 'month/day') return `${m}/${d}/2024`;
  return form === 'day.month' ? `${d}.${m}.2024` : `${d}/${m}/2024`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** The table with one row's cells changed. */
export function withRow(
  table: Table,
  index: number,
  change: (cells: readonly TableCell[]) => readonly TableCell[],
): Table {
  return { ...table, rows: table.rows.map((cells, at) => (at === index ? change(cells) : cells)) };
}

/** The table with one more column before the one at `place`; the table's truth is unchanged. */
export function withColumn(
  table: Table,
  place: number,
  header: string,
  cellOf: (row: number) => TableCell,
): Table {
  const at = place % (table.columns.length + 1);
  return {
    ...table,
    columns: table.columns.toSpliced(at, 0, header),
    rows: table.rows.map((cells, row) => cells.toSpliced(at, 0, cellOf(row))),
  };
}

/** The table's lines, the header at the given line: 0 is the first. */
function linesOf(table: Table, headerAt = 0): readonly (readonly TableCell[])[] {
  return [...table.rows.slice(0, headerAt), table.columns, ...table.rows.slice(headerAt)];
}

export function csvTable(table: Table, delimiter: string, headerAt = 0): string {
  const field = (cell: TableCell) => {
    const text = typeof cell === 'object' ? '' : String(cell);
    return text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return linesOf(table, headerAt)
    .map((cells) => `${cells.map(field).join(delimiter)}\n`)
    .join('');
}

export function workbookTable(table: Table, headerAt = 0): Buffer {
  const cell = (value: TableCell, row: number, column: number) => {
    const r = `r="${String.fromCharCode(65 + column)}${row + 1}"`;
    if (typeof value === 'number') return `<c ${r}><v>${value}</v></c>`;
    if (typeof value === 'string') {
      return value === ''
        ? ''
        : `<c ${r} t="inlineStr"><is><t>${value.replaceAll('&', '&amp;')}</t></is></c>`;
    }
    return 'serial' in value
      ? `<c ${r} s="1"><v>${value.serial}</v></c>`
      : `<c ${r}><f>${value.formula}</f></c>`;
  };
  const rows = linesOf(table, headerAt).map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((value, column) => cell(value, row, column)).join('')}</row>`,
  );
  return writeZip(workbookParts({ sheets: [{ rows: rows.join('') }], formats: ['yyyy\\-mm\\-dd'] }));
}

/** A day of 2024 as workbooks count days. */
export function serialOf(day: number, month: number): number {
  return Math.round((Date.UTC(2024, month - 1, day) - Date.UTC(1899, 11, 30)) / 86_400_000);
}
