import type { Issue } from '../../../domain/issue.js';
import { isBlankCell } from '../../../domain/row.js';
import type { Operation } from '../../../operations/operation.js';
import { type FoundHeader, fieldOf } from '../../mapping/find-header.js';
import { saysNothing } from '../../profile/no-date.js';
import type { RowWatch, WatchSource } from '../../profile/profile.js';
import { issueOf, shown } from '../../values/reading.js';
import { statusKey, statusVocabulary } from '../../values/status.js';
import { type DecidingColumn, decidingColumns } from './deciding-columns.js';
import { ignoring, readProgress } from './judge-columns.js';

/**
 * Asks of each column of progress whether it denies every completion of the drop: then it doesn't say who has completed, or nobody
 * has, and skipping all rows would hide that.
 */
export function watchProgress(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly RowWatch[] {
  const date = fieldOf('timestamp', operation, header).index;
  const status = fieldOf('status', operation, header).index;
  const progress = decidingColumns(header, operation, source).filter(({ kind }) => kind === 'progress');
  return progress.map((column): RowWatch => {
    let [agreeing, denied, firstLine] = [0, 0, 0];
    const isAllDenied = () => agreeing === 0 && denied > 0;
    return {
      name: `progress ${column.index}`,
      add: ({ cells, line }) => {
        const cell = cells[column.index];
        if (agreeing > 0 || isBlankCell(cell) || (date !== -1 && saysNothing(cells[date]))) return;
        const word = status === -1 ? null : cells[status];
        // Without the column the row would be a completion: it has a date, and no status against it.
        const key = isBlankCell(word) ? null : statusKey(String(word));
        if (key !== null && statusVocabulary(source.status).get(key) !== 'completed') return;
        if (readProgress(cell) !== 'part') agreeing += 1;
        else if (++denied === 1) firstLine = line;
      },
      asksForAll: isAllDenied,
      isOpen: () => agreeing === 0,
      result: () =>
        isAllDenied() && denied >= DENIED_THAT_ASK ? { issues: [allDenied(column, denied, firstLine)] } : {},
    };
  });
}

/** Fewer may all be rows that were taken back. */
const DENIED_THAT_ASK = 10;

function allDenied({ header }: DecidingColumn, count: number, line: number): Issue {
  const message = `"${shown(header)}" is below 100 % in all ${count} rows that are completions by their other cells, first in line ${line}`;
  const remedy = `if learners complete before they have seen everything, say that the column doesn't decide: ${ignoring(header)}; if they have not completed, export the file without them, or name the column of the date or status that says who has`;
  return issueOf('status-unseen', header, message, remedy);
}
