import type { Cause } from '../../domain/cause.js';
import { type AttentionRow, attentionRows } from '../../ledger/books/rows/attention-rows.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { operationNamed } from '../../operations/registry.js';
import { saysExists } from '../../platform/answers/classify.js';
import { rowSubject } from '../workbook/row-subject.js';
import type { Sheet, SheetColumn, SheetValue } from '../workbook/sheet.js';
import { thing } from './plain-words.js';
import { whoActs } from './who-acts.js';

/** The sheet of rows that somebody must look up on the platform before anybody can say what is right. */
export async function platformSheet(
  ledger: Ledger,
  name: string,
  drops: readonly ListedDrop[],
  selection: ReportSelection,
): Promise<Sheet> {
  return {
    name,
    columns: COLUMNS,
    rows: rowsOf(ledger, drops, selection),
    whenFull: 'The sheet is full: the rest is in the CSV files.',
    frozenColumns: 1,
  };
}

const COLUMNS: readonly SheetColumn[] = [
  { header: 'What happened', kind: 'text', look: 'guide', wraps: true, width: 44 },
  { header: 'What to find out', kind: 'text', look: 'guide', wraps: true, width: 44 },
  { header: 'Learner', kind: 'text', widest: 36 },
  { header: 'Course', kind: 'text', widest: 24 },
  { header: 'Completed at (UTC)', kind: 'time' },
  { header: 'Score', kind: 'text' },
  { header: 'File', kind: 'text', widest: 30 },
  { header: 'Row', kind: 'number' },
  {
    header: 'Reference',
    kind: 'text',
    look: 'added',
    note: 'Registrar’s number of the row: the Registrar operator needs it to act on your answer.',
  },
];

async function* rowsOf(
  ledger: Ledger,
  drops: readonly ListedDrop[],
  selection: ReportSelection,
): AsyncGenerator<readonly SheetValue[]> {
  for (const drop of drops) {
    for await (const row of await attentionRows(ledger, drop.drop, selection)) {
      if (whoActs(row) !== 'platform') continue;
      const { learner, course, completedAt, score } = rowSubject(drop, row.record, row.cells);
      const { happened, question } = words(drop, row);
      yield [
        happened,
        question,
        learner,
        course,
        completedAt,
        score,
        drop.file,
        row.line,
        `#${row.submissionId}`,
      ];
    }
  }
}

function words(
  drop: ListedDrop,
  row: AttentionRow,
): { readonly happened: string; readonly question: string } {
  const { cause, state, status } = row;
  const known = cause === null ? undefined : WORDS[cause];
  if (known)
    return cause === 'amended' ? { ...known, happened: difference(drop, row) ?? known.happened } : known;
  if (state === 'in-doubt') {
    return {
      happened: 'It was sent and no answer says whether it arrived.',
      question: 'Is this completion on the platform?',
    };
  }
  return {
    happened: saysExists(status)
      ? 'The platform says that it has such a thing already.'
      : 'The row is held back until somebody decides.',
    question: 'Is what the platform has the same as this row says?',
  };
}

/** How the later file differs from what was accepted; null where that is not known. */
function difference({ operation }: ListedDrop, { accepted: before, record }: AttentionRow): string | null {
  if (before === null || record === null) return null;
  const changes = operationNamed(operation)
    .fields.filter(({ name, sent }) => sent && before[name] !== record[name])
    .map(
      ({ name }) =>
        `${thing(name)} ${before[name] ?? 'empty'}, and a later file says ${record[name] ?? 'nothing'}`,
    );
  return changes.length === 0
    ? null
    : `The platform has this completion with ${changes.join('; and with ')}.`;
}

const WORDS: Partial<Record<Cause, { readonly happened: string; readonly question: string }>> = {
  amended: {
    happened: 'The platform has this completion; a later file says it otherwise.',
    question: 'Which is right: what the platform shows, or this row?',
  },
  'out-of-order': {
    happened: 'The platform already has a later completion of the same course by the same learner.',
    question:
      'Should the earlier date take the place of the later one? As a rule it should not, and nothing is to be done.',
  },
  restored: {
    happened: 'Registrar was set back to a backup; the row may have been delivered after that was made.',
    question: 'Is this completion on the platform?',
  },
  'owner-died': {
    happened: 'The program stopped while this was being sent, so that it may have arrived or not.',
    question: 'Is this completion on the platform?',
  },
};
