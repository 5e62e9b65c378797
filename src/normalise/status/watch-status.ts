import { type Cell, isBlankCell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { type FoundHeader, fieldOf } from '../mapping/find-header.js';
import type { RowWatch, WatchSource } from '../profile/row-watch.js';
import { decidingColumns, freeColumns } from './beside/deciding-columns.js';
import { createStatusEvidence, type StatusEvidence } from './status-evidence.js';
import { unseenStatus } from './unseen-status.js';

/**
 * One question for each column that neither a field takes nor the judge of columns reads, where neither a column nor the source
 * gives the operation's status: whether the column's values say that some of the learners have not completed.
 */
export function watchStatus(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly StatusWatch[] {
  const status = unsaidStatus(header, operation, source);
  if (status === null) return [];
  const judged = new Set(decidingColumns(header, operation, source).map(({ index }) => index));
  const learner = fieldOf('learner', operation, header).index;
  return freeColumns(header, source).flatMap(({ index, header: text }) =>
    judged.has(index)
      ? []
      : [watch(index, learner, text, status.name, createStatusEvidence(text, source.status))],
  );
}

/**
 * The operation's status field, where neither a column nor the source gives it; null: one of them does, or the operation has
 * none.
 */
export function unsaidStatus(
  { match }: FoundHeader,
  operation: Operation,
  source: Pick<WatchSource, 'columns' | 'defaults'>,
): Field | null {
  const status = operation.fields.find(({ kind }) => kind === 'status');
  if (!status || match.mapped[status.name] || match.ambiguous.includes(status.name)) return null;
  const isSaid = source.columns[status.name] !== undefined || source.defaults[status.name] !== undefined;
  return isSaid ? null : status;
}

/** The one unknown header with a status below it; null: none, or several. */
export function statusHeaderAmong(
  rows: readonly (readonly Cell[])[],
  header: FoundHeader,
  operation: Operation,
): string | null {
  const watches = watchStatus(header, operation, NOTHING_SAID);
  for (const [index, cells] of rows.entries()) {
    for (const watch of watches) watch.add({ line: header.line + index + 1, cells });
  }
  const [only, ...more] = watches.filter((watch) => watch.asksForAll());
  // "Failed: Yes" is no status as it stands.
  return only && more.length === 0 && !only.evidence.isReversed() ? only.header : null;
}

/** What a source without settings says. */
export const NOTHING_SAID: WatchSource = {
  columns: {},
  defaults: {},
  status: { completed: [], notCompleted: [], ignore: [], exempt: 'skip', equivalent: 'skip' },
};

interface StatusWatch extends RowWatch {
  readonly header: string;
  readonly evidence: StatusEvidence;
}

function watch(
  index: number,
  learnerIndex: number,
  header: string,
  field: string,
  evidence: StatusEvidence,
): StatusWatch {
  return {
    header,
    evidence,
    name: `${field} ${index}`,
    add: ({ cells, line }) => {
      const cell: Cell | undefined = cells[index];
      if (!isBlankCell(cell)) evidence.add(cell, line);
      // In a row that names no learner, as a note or a row below the data, an empty cell says nothing.
      else if (learnerIndex === -1 || !isBlankCell(cells[learnerIndex])) evidence.addBlank();
    },
    asksForAll: evidence.isAsked,
    isOpen: evidence.isOpen,
    result: () => (evidence.isAsked() ? { issues: [unseenStatus(field, header, index, evidence)] } : {}),
  };
}
