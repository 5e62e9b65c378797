import { ATTENTION_COLUMNS, dropMark } from '../domain/files/attention-columns.js';
import { textToCorrect } from '../domain/row.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import { repeatClipper } from '../domain/text/clipped-text.js';
import type { DropSummary } from '../ledger/books/files/drop-list.js';
import { type AttentionRows, attentionRows } from '../ledger/books/rows/attention-rows.js';
import type { Ledger } from '../ledger/store/query.js';
import { rowRemedy } from './words/causes.js';

/** The rows of one drop that need attention, as its attention files list them. Personal. */
export interface AttentionTable {
  /** The original columns. */
  readonly original: readonly string[];
  /** What is added to them, and columns without a name for cells beyond the header. */
  readonly added: readonly string[];
  /** The rows in line order, each as wide as both kinds of columns together; read again at each call. */
  rows(): AsyncIterable<readonly string[]>;
}

/** What the tables of a drop's rows need of it. */
export type TabledDrop = Pick<DropSummary, 'drop' | 'sha256' | 'header' | 'dispositions' | 'states'>;

/** What the attention files of a drop hold. */
export async function attentionTable(ledger: Ledger, drop: TabledDrop): Promise<AttentionTable> {
  const found = needsAttention(drop) ? await attentionRows(ledger, drop.drop) : null;
  return {
    original: drop.header,
    // Cells beyond the header have no column and come last: before our columns they would shift these.
    added: [...ATTENTION_COLUMNS, ...Array<string>(found?.extraCells ?? 0).fill('')],
    rows: () => rowsOf(found, drop),
  };
}

/** False for a drop whose rows are all well: then its rows needn't be searched. */
function needsAttention(drop: TabledDrop): boolean {
  return drop.dispositions.invalid > 0 || ATTENTION_STATES.some((state) => drop.states[state]);
}

async function* rowsOf(found: AttentionRows | null, drop: TabledDrop): AsyncGenerator<readonly string[]> {
  if (found === null) return;
  const clip = repeatClipper();
  for await (const row of found) {
    const cells = row.cells ?? [];
    yield [
      ...drop.header.map((_, column) => clip(textToCorrect(cells[column]), row.line)),
      row.line,
      row.state,
      row.code,
      row.detail,
      rowRemedy(row),
      row.status,
      row.attempts,
      row.errorId,
      dropMark(drop.drop, drop.sha256, row.correctedBy),
      ...Array.from({ length: found.extraCells }, (_, index) =>
        clip(textToCorrect(cells[drop.header.length + index]), row.line),
      ),
    ].map((value) => String(value ?? ''));
  }
}
