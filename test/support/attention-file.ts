import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import exceljs from 'exceljs';
import type { ReportDocument, TestWorkspace } from './workspace.js';

/** An attention file as a person sees it: the header, and rows by its names. */
export interface AttentionFile {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** The attention file of a drop, from the report that a run has written. */
export function attentionOf(workspace: TestWorkspace, report: ReportDocument, dropId: number): AttentionFile {
  const folder = report.reportFolder ?? '';
  if (!folder.startsWith(workspace.root)) throw new Error('the run has written no report');
  return attentionIn(folder, dropId);
}

/** The attention file of a drop in the folder of a report. */
export function attentionIn(folder: string, dropId: number): AttentionFile {
  const name = readdirSync(folder).find(
    (file) => file.startsWith(`${dropId}-`) && file.endsWith('.attention.csv'),
  );
  const text = readFileSync(join(folder, name ?? 'there is none'), 'utf8');
  const [header = [], ...rows] = parse(text, { bom: true, relax_column_count: true }) as string[][];
  return {
    header,
    rows: rows.map((cells) =>
      Object.fromEntries(header.map((column, index) => [column, cells[index] ?? ''])),
    ),
  };
}

/** The file with each row that `correct` changes; null takes a row out. */
export function corrected(
  { header, rows }: AttentionFile,
  correct: (row: Readonly<Record<string, string>>) => Readonly<Record<string, string>> | null,
): AttentionFile {
  return { header, rows: rows.map(correct).filter((row) => row !== null) };
}

/** As a spreadsheet saves it: with a delimiter of its own, and quotation marks where they are needed. */
export function savedCsv({ header, rows }: AttentionFile, delimiter = ','): string {
  const quoted = (text: string) => (/["\n\r;,\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells: readonly string[]) => `${cells.map(quoted).join(delimiter)}\r\n`;
  return [line(header), ...rows.map((row) => line(header.map((name) => row[name] ?? '')))].join('');
}

/** A workbook of text cells, sheet by sheet. */
export async function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<Buffer> {
  const workbook = new exceljs.Workbook();
  for (const [name, rows] of Object.entries(sheets))
    workbook.addWorksheet(name).addRows(rows.map((row) => [...row]));
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** As a workbook of text cells, or of what `typed` makes of a cell. */
export async function savedWorkbook(
  { header, rows }: AttentionFile,
  typed: (text: string, column: string) => string | number | Date = (text) => text,
): Promise<Buffer> {
  const workbook = new exceljs.Workbook();
  const sheet = workbook.addWorksheet('Attention');
  sheet.addRow([...header]);
  for (const row of rows) sheet.addRow(header.map((name) => typed(row[name] ?? '', name)));
  return Buffer.from(await workbook.xlsx.writeBuffer());
}
