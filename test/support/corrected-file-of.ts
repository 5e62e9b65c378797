import { dropMark } from '../../src/domain/files/attention-columns.js';
import { publishedDrops } from '../../src/ledger/drops/published-drops.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { type Columns, csvOf, DEFAULT_COLUMNS, type ExportRow } from './exports.js';

/** One row of a corrected attention file; omitted values are the right ones. */
export interface CorrectedRow {
  /** `_row`. */
  readonly of: number | string;
  readonly row: ExportRow;
  /** `_drop`. */
  readonly mark?: string;
}

/** A corrected attention file of a drop with the usual columns, as text. */
export async function correctedFileOf(
  ledger: Ledger,
  dropId: number,
  rows: readonly CorrectedRow[],
  columns: Columns = DEFAULT_COLUMNS,
  version: number | null = null,
): Promise<string> {
  const [drop] = await publishedDrops(ledger, dropId);
  if (!drop) throw new Error(`drop ${dropId} is not published`);
  return correctedFileText(dropMark(dropId, drop.sha256, version), rows, columns);
}

/** The same of a drop with this mark. */
export function correctedFileText(
  dropMarkText: string,
  rows: readonly CorrectedRow[],
  columns: Columns = DEFAULT_COLUMNS,
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
