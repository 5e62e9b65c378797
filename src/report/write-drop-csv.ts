import { ATTENTION_COLUMNS, dropMark } from '../domain/files/attention-columns.js';
import { cellText, textToCorrect } from '../domain/row.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import type { DropSummary } from '../ledger/books/files/drop-list.js';
import { type AttentionRows, acceptedRows, attentionRows } from '../ledger/books/rows/listed-rows.js';
import type { Ledger } from '../ledger/store/query.js';
import { csvLine } from './text/csv-line.js';
import { rowRemedy } from './words/causes.js';

export const ACCEPTED_COLUMNS = ['_row', '_accepted_at', '_platform_id', '_attempts', '_left_out'] as const;

/** Excel reads a file as UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

export async function* csvTable(
  columns: readonly string[],
  rows: AsyncIterable<readonly (string | number | null)[]>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(columns);
  for await (const row of rows) yield csvLine(row);
}

/** The rows of a drop that need attention, with their original columns, as CSV text piece by piece. */
export async function* attentionCsv(ledger: Ledger, drop: TabledDrop): AsyncGenerator<string> {
  const { original, added, rows } = await attentionTable(ledger, drop);
  yield* csvTable([...original, ...added], rows());
}

export function acceptedCsv(ledger: Ledger, drop: TabledDrop): AsyncGenerator<string> {
  return csvTable([...drop.header, ...ACCEPTED_COLUMNS], acceptedLines(ledger, drop));
}

async function* acceptedLines(ledger: Ledger, drop: TabledDrop) {
  if (!drop.states.accepted) return;
  for await (const row of acceptedRows(ledger, drop.drop)) {
    const cells = row.cells ?? [];
    yield [
      // Cells beyond the header are blank: a row with more cells is no record.
      ...drop.header.map((_, column) => cellText(cells[column])),
      row.line,
      row.acceptedAt,
      row.platformId,
      row.attempts,
      row.omitted,
    ];
  }
}

export type TabledDrop = Pick<DropSummary, 'drop' | 'sha256' | 'header' | 'dispositions' | 'states'>;

/** The rows of one drop that need attention, in line order: each as wide as its original columns and those that are added together. Personal. */
export async function attentionTable(ledger: Ledger, drop: TabledDrop) {
  const rows = await attentionRows(ledger, drop.drop);
  return {
    original: drop.header,
    // Cells beyond the header have no column and come last: before our columns they would shift these.
    added: [...ATTENTION_COLUMNS, ...Array<string>(rows.extraCells).fill('')],
    rows: () => rowsOf(rows, drop),
  };
}

/** False for a drop whose rows are all well: then its rows needn't be searched. */
export function needsAttention(drop: TabledDrop): boolean {
  return drop.dispositions.invalid > 0 || ATTENTION_STATES.some((state) => drop.states[state]);
}

async function* rowsOf(rows: AttentionRows, drop: TabledDrop): AsyncGenerator<readonly string[]> {
  for await (const row of rows) {
    const cells = row.cells ?? [];
    yield [
      ...drop.header.map((_, column) => textToCorrect(cells[column])),
      row.line,
      row.state,
      row.code,
      row.detail,
      rowRemedy(row),
      row.status,
      row.attempts,
      row.errorId,
      dropMark(drop.drop, drop.sha256, row.correctedBy),
      ...Array.from({ length: rows.extraCells }, (_, index) =>
        textToCorrect(cells[drop.header.length + index]),
      ),
    ].map((value) => String(value ?? ''));
  }
}
