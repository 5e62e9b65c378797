import type { Issue } from '../../domain/issue.js';
import { type Cell, isBlankCell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { type FoundHeader, fieldOf } from '../mapping/find-header.js';
import type { RowWatch, WatchSource } from '../profile/profile.js';
import { issueOf, quotedYaml, shown } from '../values/reading.js';
import { statusKey, statusVocabulary } from '../values/status.js';
import {
  type DecidingColumn,
  decidingColumns,
  freeColumns,
  ignoring,
  readProgress,
} from './judge-columns.js';
import { saysNothing } from './judge-status.js';
import { createStatusEvidence, type StatusEvidence, type WordKind } from './status-evidence.js';

/**
 * One question for each column that neither a field takes nor the judge of columns reads, where neither a column nor the source
 * gives the operation's status: whether the column's values say that some of the learners have not completed.
 */
export function watchStatus(
  header: FoundHeader,
  operation: Operation,
  source: WatchSource,
): readonly RowWatch[] {
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

function watch(
  index: number,
  learnerIndex: number,
  header: string,
  field: string,
  evidence: StatusEvidence,
): RowWatch {
  return {
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

/** A column that no field is mapped to holds words that say who has not completed. */
function unseenStatus(field: string, header: string, index: number, evidence: StatusEvidence): Issue {
  const words = evidence.words();
  const isNamed = header.trim() !== '';
  const name = isNamed ? `"${shown(header)}"` : `column ${index + 1}, which has no name,`;
  const blanks = evidence.blanks();
  const counts = [
    ...words.slice(0, SHOWN_WORDS).map((word) => {
      const first = evidence.isAgainst(word) ? `, first in line ${word.line}` : '';
      return `"${shown(word.text)}" (${word.count}${first})`;
    }),
    ...(words.length > SHOWN_WORDS ? [`${words.length - SHOWN_WORDS} other words`] : []),
    ...(blanks > 0 ? [`empty (${blanks})`] : []),
  ];
  const settings = isNamed
    ? settingsFor(field, header, evidence)
    : `give the column a name in the file, and then columns: { ${field}: … }`;
  const message = `no column is mapped as ${field}, and ${name} seems to say who has not completed: ${counts.join(', ')}`;
  const remedy = `say for the source in registrar.yaml what it is: ${settings}; or columns: { ${field}: null } where no column says so`;
  return issueOf('status-unseen', isNamed ? header : null, message, remedy, words[0]?.text ?? null);
}

/** As many words as a sentence bears. */
const SHOWN_WORDS = 8;

/** All settings that the column needs to be read: the field that it is, and its words that are in no vocabulary. */
function settingsFor(field: string, header: string, evidence: StatusEvidence): string {
  const own = `columns: { ${field}: ${quotedYaml(header)} }`;
  const isReversed = evidence.isReversed();
  const of = (wanted: WordKind) =>
    evidence.words().flatMap(({ kind, text }) => (kind === wanted ? JSON.stringify(shown(text)) : []));
  const blank =
    evidence.blanks() > 0
      ? `, with defaults: { ${field}: ${isReversed ? 'Completed' : 'Not completed'} } for its empty cells`
      : '';
  if (isReversed) {
    const lists = `completed: [${of('no').join(', ')}], notCompleted: [${of('yes').join(', ')}]`;
    return `${own} with status: { ${lists} }${blank}`;
  }
  const [marks, unknown] = [of('mark'), of('unknown').slice(0, 4)];
  const further = [
    ...(marks.length > 0 ? [`status: { completed: [${marks.join(', ')}] }`] : []),
    ...(unknown.length > 0
      ? [`and under status: completed or notCompleted what ${unknown.join(', ')} means`]
      : []),
  ];
  return `${own}${further.length > 0 ? ` with ${further.join(', ')}` : ''}${blank}`;
}

/**
 * Questions each column of progress that denies every completion of the drop: it doesn't say who has completed, or no learner
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
