import { cellText } from '../domain/row.js';
import { repeatClipper } from '../domain/text/clipped-text.js';
import { acceptedRows } from '../ledger/books/rows/listed-rows.js';
import type { Ledger } from '../ledger/store/query.js';
import type { AttentionTable, TabledDrop } from './attention-table.js';
import { csvLine } from './text/csv-line.js';

/** Columns added to the originals in the accepted file. */
export const ACCEPTED_COLUMNS = ['_row', '_accepted_at', '_platform_id', '_attempts', '_left_out'] as const;

/** Excel reads a file as UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** A table as CSV text piece by piece. */
export async function* csvTable(
  columns: readonly string[],
  rows: AsyncIterable<readonly (string | number | null)[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns);
  for await (const row of rows) yield csvLine(row);
}

/** The rows of a drop that need attention, with their original columns, as CSV text piece by piece. */
export function attentionCsv(table: AttentionTable): AsyncGenerator<string> {
  return csvTable([...table.original, ...table.added], table.rows());
}

/** The rows of a drop that the platform accepted. */
export async function* acceptedCsv(ledger: Ledger, drop: TabledDrop): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine([...drop.header, ...ACCEPTED_COLUMNS]);
  if (!drop.states.accepted) return;
  const clip = repeatClipper();
  for await (const row of acceptedRows(ledger, drop.drop)) {
    const cells = row.cells ?? [];
    yield csvLine([
      // Cells beyond the header are blank: a row with more cells is no record.
      ...drop.header.map((_, column) => clip(cellText(cells[column]), row.line)),
      row.line,
      row.acceptedAt,
      row.platformId,
      row.attempts,
      row.leftOut,
    ]);
  }
}
