import { isoFromMs, msFromIso } from '../../src/domain/clock.js';
import { workbookParts } from './workbook-parts.js';
import { writeZip } from './write-zip.js';

/** One row of a learning system's export. */
export interface ExportRow {
  readonly email: string;
  readonly course: string;
  /** Local time without a zone, `2024-01-05 08:00:00`. */
  readonly at: string;
  readonly score: number | null;
  readonly status: string;
}

/** Headers of the columns in exports, in order. */
export type Columns = Readonly<Partial<Record<keyof ExportRow, string>>>;

export const DEFAULT_COLUMNS: Columns = {
  email: 'Email',
  course: 'Course ID',
  at: 'Completed on',
  score: 'Score',
  status: 'Status',
};

/** Good rows, each of a learner and a minute of its own; the n-th is the same whatever `from` and `count` are. */
export function exportRows(count: number, from = 0): ExportRow[] {
  return Array.from({ length: count }, (_, index) => exportRow(from + index));
}

/** A good row with the test's overrides. */
export function exportRow(n: number, overrides: Partial<ExportRow> = {}): ExportRow {
  return {
    email: `learner${n}@example.org`,
    course: `COURSE-${n % 7}`,
    at: isoFromMs(FIRST_MS + n * 60_000)
      .slice(0, 19)
      .replace('T', ' '),
    score: 20 + (n % 81),
    status: 'Completed',
    ...overrides,
  };
}

/** The rows as a delimited text with a header. */
export function csvOf(
  rows: readonly ExportRow[],
  columns: Columns = DEFAULT_COLUMNS,
  delimiter = ',',
): string {
  const fields = Object.keys(columns) as (keyof ExportRow)[];
  const lines = rows.map((row) => fields.map((field) => row[field] ?? '').join(delimiter));
  return `${[Object.values(columns).join(delimiter), ...lines].join('\n')}\n`;
}

/** Half a megabyte in a few rows, which a column of notes makes long. */
export function largeCsv(count: number): string {
  const [header, ...lines] = csvOf(exportRows(count)).trimEnd().split('\n');
  const notes = 'n'.repeat(Math.ceil(500_000 / count));
  return `${[`${header},Notes`, ...lines.map((line) => `${line},${notes}`)].join('\n')}\n`;
}

/** The rows as a workbook: times are date cells, scores numbers. */
export function workbookOf(rows: readonly ExportRow[], columns: Columns = DEFAULT_COLUMNS): Buffer {
  const fields = Object.keys(columns) as (keyof ExportRow)[];
  const lines = [
    Object.values(columns).map(textCell),
    ...rows.map((row) => fields.map((field) => (field === 'at' ? timeCell(row.at) : cell(row[field])))),
  ];
  const xml = lines.map((cells) => `<row>${cells.join('')}</row>`).join('');
  return writeZip(
    workbookParts({ sheets: [{ name: 'Completions', rows: xml }], formats: ['yyyy\\-mm\\-dd hh:mm:ss'] }),
  );
}

const FIRST_MS = msFromIso('2024-01-05T08:00:00.000Z');
const DAY_MS = 86_400_000;

/** Day 0 of workbooks. */
const EPOCH_MS = msFromIso('1899-12-30T00:00:00.000Z');

function cell(value: string | number | null): string {
  if (value === null) return '<c/>';
  return typeof value === 'number' ? `<c><v>${value}</v></c>` : textCell(value);
}

function textCell(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c t="inlineStr"><is><t>${escaped}</t></is></c>`;
}

/** Values other than local times stay text. */
function timeCell(at: string): string {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(at)) return cell(at);
  return `<c s="1"><v>${(msFromIso(`${at.replace(' ', 'T')}Z`) - EPOCH_MS) / DAY_MS}</v></c>`;
}
