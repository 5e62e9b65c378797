import type { Issue } from '../../domain/issue.js';
import { type Cell, isBlankCell, type Row } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import { type FoundHeader, fieldOf } from '../mapping/find-header.js';
import type { WatchSource } from '../profile/profile.js';
import { issueOf, refuse, remembering } from '../values/reading.js';
import { readStatus, statusVocabulary } from '../values/status.js';
import { decidingColumns } from './beside/deciding-columns.js';
import { createColumnsJudge, type StatusJudgement } from './beside/judge-columns.js';

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
