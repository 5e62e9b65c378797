import type { SourceConfig } from '../../config/schema.js';
import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import { type FoundHeader, fieldOf } from '../mapping/find-header.js';
import type { WatchSource } from '../profile/profile.js';
import { issueOf, refuse, remembering, shown } from '../values/reading.js';
import { readStatus, statusVocabulary } from '../values/status.js';
import { isPlaceholder, trimText } from '../values/trim-text.js';
import { createColumnsJudge, decidingColumns, type StatusJudgement } from './judge-columns.js';

/**
 * The judge of one drop's rows, by their status and by the columns that decide beside it. null: the status says completed, or the
 * drop has none, and no other column says anything against the row.
 */
export function createStatusJudge(
  operation: Operation,
  source: WatchSource,
  header: FoundHeader,
): (row: Row) => StatusJudgement | null {
  const byStatus = createFirstJudge(operation, source, header);
  const beside = decidingColumns(header, operation, source);
  if (beside.length === 0) return byStatus;
  const byColumns = createColumnsJudge(beside, source.status);
  return (row) => {
    const first = byStatus(row);
    if (first?.isSkipped) return first;
    const second = byColumns(row);
    if (!first || !second || second.isSkipped) return second ?? first;
    return { issues: [...first.issues, ...second.issues], isSkipped: false };
  };
}

/** The judge by the status alone. */
function createFirstJudge(
  operation: Operation,
  source: WatchSource,
  header: FoundHeader,
): (row: Row) => StatusJudgement | null {
  const { name, index, label } = fieldOf('status', operation, header);
  const otherwise = name === null ? null : (source.defaults[name] ?? null);
  if (index === -1 && otherwise === null) return () => null;
  const context = { column: label, vocabulary: statusVocabulary(source.status) };
  const read = remembering((cell) => readStatus(cell, context));

  return (row) => {
    const own = index === -1 ? null : row.cells[index];
    const cell = isBlankCell(own) ? otherwise : own;
    const reading = read(cell);
    if ('issue' in reading) return { issues: [reading.issue], isSkipped: false };
    if (reading.value === 'completed') return null;
    if (reading.value === null) return { issues: [emptyStatus(label)], isSkipped: false };
    if (reading.value === 'not-completed') return { issues: [notCompleted(label, cell)], isSkipped: true };
    const policy = reading.value;
    return source.status[policy] === 'completed'
      ? null
      : { issues: [leftToPolicy(label, cell, policy)], isSkipped: true };
  };
}

function emptyStatus(label: string): Issue {
  const message = `${label} is empty, so nothing shows whether the learner has completed`;
  const remedy =
    'fill it in the file, or say what an empty one means: defaults: { status: Completed } for the source in registrar.yaml';
  return issueOf('status-unknown', label, message, remedy);
}

function notCompleted(label: string, cell: Cell | undefined): Issue {
  const because = 'says that the learner has not completed';
  const remedy =
    'nothing to do; if it means completed, say so: status: { completed: [ … ] } for the source in registrar.yaml';
  return refuse('status-not-completed', label, cell, because, remedy).issue;
}

function leftToPolicy(label: string, cell: Cell | undefined, policy: 'exempt' | 'equivalent'): Issue {
  const because =
    policy === 'exempt'
      ? 'is an exemption or the like, not a completion'
      : 'says that something equivalent was completed, not this';
  const remedy = `nothing to do; if such rows count as completed, set status: { ${policy}: completed } for the source in registrar.yaml`;
  return refuse('status-by-policy', label, cell, because, remedy).issue;
}

/**
 * The judge of rows whose date of completion is empty, or says that there is none ("-"), for a source whose rows without a date
 * are people who have not completed. null: there is a date, readable or not; or the source has another rule, or another cell, a
 * status, decides.
 */
export function createNoDateJudge(
  operation: Operation,
  source: Pick<SourceConfig, 'defaults' | 'noDate'>,
  header: FoundHeader,
): (row: Row) => Issue | null {
  const dated = operation.fields.find(({ kind, required }) => kind === 'timestamp' && required);
  const date = dated && header.match.mapped[dated.name];
  if (!date || source.noDate !== 'skipped' || source.defaults[dated.name] !== undefined) return () => null;
  const { index: status } = fieldOf('status', operation, header);
  return ({ cells }) => {
    const cell = cells[date.index];
    if (!saysNothing(cell)) return null;
    return status !== -1 && !isBlankCell(cells[status]) ? null : noDate(date.header, cell);
  };
}

/** The remedy for rows without a value of this field, where it is more than to fill it in; null: none. */
export function noDateRemedy(operation: Operation, fieldName: string, header: FoundHeader): string | null {
  const field = operation.fields.find(({ name }) => name === fieldName);
  if (field?.kind !== 'timestamp') return null;
  const otherwise =
    fieldOf('status', operation, header).index === -1
      ? '; or, where the file lists people who have not completed as well, say that rows without a date are those: noDate: skipped for the source in registrar.yaml'
      : '';
  return `fill it in the file${otherwise}`;
}

/** True for an empty cell and for what means one. */
export function saysNothing(cell: Cell | undefined): boolean {
  return isBlankCell(cell) || (typeof cell === 'string' && cell.length < 20 && isPlaceholder(trimText(cell)));
}

function noDate(column: string, cell: Cell | undefined): Issue {
  const value = isBlankCell(cell) ? null : shown(cellText(cell));
  const message = `${column} ${value === null ? 'is empty' : `"${value}" means no value`}, which the source takes for not completed`;
  const remedy =
    'nothing to do; if such rows should be looked at, set noDate: invalid for the source in registrar.yaml';
  return issueOf('date-empty', column, message, remedy, value);
}
