import { ATTENTION_COLUMNS, dropMark } from '../domain/attention-columns.js';
import { repeatClipper, sentenceClipper } from '../domain/clipped-text.js';
import { type Cell, cellText, isBlankCell } from '../domain/row.js';
import { ATTENTION_STATES } from '../domain/submission.js';
import { attentionRows, raggedLines } from '../ledger/attention.js';
import type { DropSummary } from '../ledger/drop-list.js';
import type { Ledger } from '../ledger/query.js';
import { cellsByLine } from '../ledger/row-blocks.js';
import { rowRemedy } from './cause-words.js';

/** The rows of one drop that need a person, as its attention files list them. Personal. */
export interface AttentionTable {
  /** The original columns. */
  readonly original: readonly string[];
  /** What is added to them, and columns without a name for cells beyond the header. */
  readonly added: readonly string[];
  /** As wide as both together, in line order; read anew at each call. */
  rows(): IterableIterator<readonly string[]>;
}

/** What the attention files of a drop hold. */
export function attentionTable(ledger: Ledger, drop: DropSummary): AttentionTable {
  const cellsOf = cellsByLine(ledger, drop.dropId);
  let extra = 0;
  for (const line of needsAttention(drop) ? raggedLines(ledger, drop.dropId) : []) {
    extra = Math.max(extra, extraCells(cellsOf(line), drop.header));
  }
  return {
    original: drop.header,
    // Cells beyond the header have no column: before ours they would move them.
    added: [...ATTENTION_COLUMNS, ...Array<string>(extra).fill('')],
    rows: () => rowsOf(ledger, drop, extra),
  };
}

/** Nothing is to be looked for among a million rows that are all well. */
function needsAttention(drop: DropSummary): boolean {
  return drop.dispositions.invalid > 0 || ATTENTION_STATES.some((state) => drop.states[state]);
}

function* rowsOf(ledger: Ledger, drop: DropSummary, extra: number): Generator<readonly string[]> {
  if (!needsAttention(drop)) return;
  const mark = dropMark(drop.dropId, drop.sha256);
  const cellsOf = cellsByLine(ledger, drop.dropId);
  const clip = repeatClipper();
  const say = sentenceClipper();
  for (const row of attentionRows(ledger, drop.dropId)) {
    const cells = cellsOf(row.line) ?? [];
    yield [
      ...drop.header.map((_, column) => clip(cellText(cells[column]), row.line)),
      row.line,
      row.state,
      row.code,
      say(row.detail ?? '', row.line),
      say(rowRemedy(row), row.line),
      row.status,
      row.attempts,
      row.errorId,
      mark,
      ...Array.from({ length: extra }, (_, index) =>
        clip(cellText(cells[drop.header.length + index]), row.line),
      ),
    ].map((value) => String(value ?? ''));
  }
}

/** Cells beyond the header, without the blank ones at the end. */
export function extraCells(cells: readonly Cell[] | null, header: readonly string[]): number {
  const last = cells?.findLastIndex((cell) => !isBlankCell(cell)) ?? -1;
  return Math.max(0, last + 1 - header.length);
}
