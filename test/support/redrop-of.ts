import { dropMark } from '../../src/domain/attention-columns.js';
import type { Ledger } from '../../src/ledger/query.js';
import { type Columns, csvOf, type ExportRow, USUAL_COLUMNS } from './exports.js';

/** One row of a corrected attention file; what is left out is as it should be. */
export interface RedropRow {
  /** `_row`. */
  readonly of: number | string;
  readonly row: ExportRow;
  /** `_drop`. */
  readonly mark?: string;
}

/** A corrected attention file of a drop with the usual columns, as text. */
export function redropOf(
  ledger: Ledger,
  dropId: number,
  rows: readonly RedropRow[],
  columns: Columns = USUAL_COLUMNS,
): string {
  const sha256 = ledger.sqlite.prepare('select sha256 from "drop" where drop_id = ?').pluck().get(dropId);
  return redropText(dropMark(dropId, String(sha256)), rows, columns);
}

/** The same of a drop with this mark. */
export function redropText(
  dropMarkText: string,
  rows: readonly RedropRow[],
  columns: Columns = USUAL_COLUMNS,
): string {
  const lines = csvOf(
    rows.map(({ row }) => row),
    columns,
  ).split('\n');
  const own = rows.map(({ of, mark = dropMarkText }) => `${of},${mark}`);
  return `${lines
    .slice(0, -1)
    .map((line, index) => `${line},${index === 0 ? '_row,_drop' : own[index - 1]}`)
    .join('\n')}\n`;
}
