import type { Issue } from '../../../domain/issue.js';
import { type Cell, isBlankCell, type Row } from '../../../domain/row.js';
import type { Operation } from '../../../operations/operation.js';
import { type FoundHeader, fieldOf } from '../../mapping/find-header.js';
import { saysNothing } from '../../profile/no-date.js';
import type { RowWatch, WatchSource } from '../../profile/profile.js';
import { issueOf, shown } from '../../values/reading.js';
import { plainScore } from '../../values/score.js';
import { statusKey, statusVocabulary } from '../../values/status.js';
import { type DecidingColumn, decidingColumns } from './deciding-columns.js';
import { ignoring, readProgress } from './judge-columns.js';

/**
 * Two questions about each column of progress: whether a 1 is all of the course or one percent, and whether the column denies
 * every completion of the drop. Then it doesn't say who has completed, or nobody has: skipping all rows would hide that.
 */
export function watchProgress(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly RowWatch[] {
  const columns = decidingColumns(header, operation, source).filter(({ kind }) => kind === 'progress');
  if (columns.length === 0) return [];
  const isCompletion = completionFinder(header, operation, source);
  const learner = fieldOf('learner', operation, header).index;
  return columns.map((column) => watch(column, learner, isCompletion));
}

/**
 * Whether a 1 is all of the course; null: nothing in the column proves it.
 * @param implied what a drop's watches have implied.
 */
export function isFractionIn(
  implied: Readonly<Record<string, string>>,
  column: DecidingColumn,
): boolean | null {
  const scale = implied[nameOf(column)];
  return scale === undefined ? null : scale === FRACTIONS;
}

function nameOf({ index }: DecidingColumn): string {
  return `progress ${index}`;
}

const FRACTIONS = '0-1';

function watch(
  column: DecidingColumn,
  learnerIndex: number,
  isCompletion: (cells: readonly Cell[]) => boolean,
): RowWatch {
  let [above, fractions, ones, agreeing, denied, firstLine] = [0, 0, 0, 0, 0, 0];
  const isAllDenied = () => agreeing === 0 && denied > 0;
  return {
    name: nameOf(column),
    add: ({ cells, line }: Row) => {
      const cell = cells[column.index];
      if (isBlankCell(cell) || (learnerIndex !== -1 && isBlankCell(cells[learnerIndex]))) return;
      const number = plainScore(cell, null);
      if (number === 1) ones += 1;
      else if (number !== null && number > 1) above += 1;
      else if (number !== null && number > 0) fractions += 1;
      if (agreeing > 0 || !isCompletion(cells)) return;
      if (readProgress(cell) !== 'part') agreeing += 1;
      else if (++denied === 1) firstLine = line;
    },
    asksForAll: () => (ones > 0 && above === 0) || isAllDenied(),
    isOpen: () => above === 0 || agreeing === 0,
    result: () => {
      const isOfFractions = fractions > 0 || ones >= ONES_THAT_PROVE;
      const scale = above > 0 ? '0-100' : isOfFractions ? FRACTIONS : null;
      return {
        implied: scale === null ? {} : { [nameOf(column)]: scale },
        issues: isAllDenied() && denied >= DENIED_THAT_ASK ? [allDenied(column, denied, firstLine)] : [],
      };
    },
  };
}

/** So many learners, all of them at exactly one percent and none above, are not to be found. */
const ONES_THAT_PROVE = 10;

/** Fewer may all be rows that were taken back. */
const DENIED_THAT_ASK = 10;

/** True for a row that would be a completion without the column: it has a date, and no status against it. */
function completionFinder(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): (cells: readonly Cell[]) => boolean {
  const date = fieldOf('timestamp', operation, header).index;
  const status = fieldOf('status', operation, header).index;
  const vocabulary = statusVocabulary(source.status);
  return (cells) => {
    if (date !== -1 && saysNothing(cells[date])) return false;
    const word = status === -1 ? null : cells[status];
    return isBlankCell(word) || vocabulary.get(statusKey(String(word))) === 'completed';
  };
}

function allDenied({ header }: DecidingColumn, count: number, line: number): Issue {
  const message = `"${shown(header)}" is below 100 % in all ${count} rows that are completions by their other cells, first in line ${line}`;
  const remedy = `if learners complete before they have seen everything, say that the column doesn't decide: ${ignoring(header)}; if they have not completed, export the file without them, or name the column of the date or status that says who has`;
  return issueOf('status-unseen', header, message, remedy);
}
