import { ATTENTION_COLUMNS, dropMark } from '../domain/attention-columns.js';
import { type Cell, cellText } from '../domain/row.js';
import { ATTENTION_STATES, acceptedRows, attentionRows } from '../ledger/attention.js';
import type { DropSummary } from '../ledger/drop-list.js';
import type { Ledger } from '../ledger/query.js';
import { cellsByLine } from '../ledger/row-blocks.js';
import { causeWords } from './cause-words.js';
import { csvLine } from './csv-line.js';

/** Columns added to the originals in the accepted file. */
export const ACCEPTED_COLUMNS = ['_row', '_accepted_at', '_platform_id', '_attempts'] as const;

/** Excel takes a file for UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** The rows of a drop that need a person, with their original columns, as CSV text piece by piece. */
export function* attentionCsv(ledger: Ledger, drop: DropSummary): Generator<string> {
  yield BYTE_ORDER_MARK + csvLine([...drop.header, ...ATTENTION_COLUMNS]);
  // Nothing is to be looked for among a million rows that are all well.
  if (drop.dispositions.invalid === 0 && !ATTENTION_STATES.some((state) => drop.states[state])) return;
  const mark = dropMark(drop.dropId, drop.sha256);
  const cellsOf = cellsByLine(ledger, drop.dropId);
  for (const row of attentionRows(ledger, drop.dropId)) {
    const about = row.state === 'invalid' ? 'row' : 'submission';
    yield csvLine([
      ...original(cellsOf(row.line), drop.header.length),
      row.line,
      row.state,
      row.code,
      row.detail,
      row.remedy ?? causeWords(row.code, about, row.state).remedy,
      row.status,
      row.attempts,
      row.errorId,
      mark,
    ]);
  }
}

/** The rows of a drop that the platform accepted. */
export function* acceptedCsv(ledger: Ledger, drop: DropSummary): Generator<string> {
  yield BYTE_ORDER_MARK + csvLine([...drop.header, ...ACCEPTED_COLUMNS]);
  if (!drop.states.accepted) return;
  const cellsOf = cellsByLine(ledger, drop.dropId);
  for (const row of acceptedRows(ledger, drop.dropId)) {
    yield csvLine([
      ...original(cellsOf(row.line), drop.header.length),
      row.line,
      row.acceptedAt,
      row.platformId,
      row.attempts,
    ]);
  }
}

/** The row's cells as text, filled up to the header's width. */
function original(cells: readonly Cell[] | null, width: number): string[] {
  return Array.from({ length: Math.max(width, cells?.length ?? 0) }, (_, index) => cellText(cells?.[index]));
}
