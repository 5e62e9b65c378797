import type { RowIssue } from '../../documents/trace.js';
import type { IssueCode } from '../../domain/issue.js';
import type { AttentionRow } from '../../ledger/books/rows/attention-rows.js';
import { sentence } from '../page/causes.js';

/** What is wrong and what to do, in words for somebody who knows the file and has never seen Registrar. Personal. */
export interface PlainWords {
  readonly wrong: string;
  readonly remedy: string;
}

/** An issue in words without settings or field names: its sentence, and what can be done in the file. */
export function plainIssue(issue: RowIssue, header: readonly string[]): PlainWords {
  const { code, message } = issue;
  const column = issue.column === null || header.includes(issue.column) ? issue.column : thing(issue.column);
  const own = column === null ? undefined : OWN_SENTENCES[code as IssueCode]?.(column, issue.value);
  const isPlain = message !== null && !SPEAKS_OF_SETTINGS.test(message);
  const wrong = isPlain ? message : (own ?? message ?? 'what was wrong was erased on request');
  return {
    wrong: sentence(issue.column === null ? wrong : wrong.replace(issue.column, column ?? issue.column)),
    remedy:
      REMEDIES[code as IssueCode]?.(issue) ??
      'Correct it, or delete the row here if it is not to be delivered.',
  };
}

/** The platform's refusal in its own words. */
export function plainRefusal({ detail, code }: Pick<AttentionRow, 'detail' | 'code'>): PlainWords {
  const said = detail === null || detail === code ? '.' : `: “${detail.replace(/(?<![.\s])[.\s]+$/, '')}”.`;
  return {
    wrong: `The platform refused this row${said}`,
    remedy:
      'Correct the cell that this speaks of. If every cell is right, delete the row here and tell the Registrar operator.',
  };
}

/** A field's name for people, where the file has no column for it. */
export function thing(field: string): string {
  return THINGS[field] ?? field.replaceAll('-', ' ');
}

const THINGS: Readonly<Record<string, string>> = {
  'user-id': 'the learner',
  'user-identifier-type': 'the kind of identifier',
  'content-id': 'the course',
  'content-id-type': 'the kind of course number',
  'content-type': 'the kind of content',
  'completed-at': 'the date of completion',
  percentile: 'the score',
  status: 'the status',
};

const SPEAKS_OF_SETTINGS = /registrar\.yaml|\bsource\b|a record needs|clocks were set/;

/** Other sentences for issues whose own sentence speaks of settings, or to readers who know what UTC is. */
const OWN_SENTENCES: Partial<Record<IssueCode, (column: string, value: string | null) => string>> = {
  'value-missing': (column, value) =>
    value === null ? `${column} is empty` : `${column} holds “${value}”, which stands for nothing`,
  'timestamp-unzoned': (column, value) => `${column} “${value ?? ''}” does not say in which time zone it was`,
  'timestamp-ambiguous': (column, value) =>
    `${column} “${value ?? ''}” was twice that night, because clocks were set back`,
  'timestamp-nonexistent': (column, value) =>
    `${column} “${value ?? ''}” never was, because clocks were set forward that night`,
  'score-invalid': (column, value) => `${column} “${value ?? ''}” is not a score that can be read`,
  'original-unknown': (column) =>
    `${column} says that the row corrects a file whose rows stand on another sheet of the workbook`,
};

const WRITE_A_DATE =
  'Write the day as year-month-day, such as 2025-10-31, with a time such as 2025-10-31 14:30 if you know it.';
const WRITE_WITH_OFFSET = 'Write the time with its distance from UTC, such as 2025-10-26T02:30:00+01:00.';
const WRITE_A_SCORE = 'Write a number from 0 to 100, or a percentage such as 85%.';
const COPY_FROM_THE_SYSTEM = 'Copy the identifier from the system that the file comes from.';

/** What can be done in the file. */
const REMEDIES: Partial<Record<IssueCode, (issue: RowIssue) => string>> = {
  'value-missing': () => 'Fill the coloured cell in.',
  'email-invalid': () => 'Write the one right e-mail address.',
  'identifier-damaged': () => COPY_FROM_THE_SYSTEM,
  'identifier-invalid': () => COPY_FROM_THE_SYSTEM,
  'timestamp-invalid': () => WRITE_A_DATE,
  'timestamp-unzoned': () => WRITE_WITH_OFFSET,
  'timestamp-ambiguous': () => WRITE_WITH_OFFSET,
  'timestamp-nonexistent': () => WRITE_WITH_OFFSET,
  'timestamp-damaged': () => 'Write the time with its seconds, as the original had it.',
  'timestamp-out-of-range': () => 'Write the day on which it really was completed.',
  'date-order-unknown': () => WRITE_A_DATE,
  'score-invalid': () => WRITE_A_SCORE,
  'score-scale-unknown': () => 'Write a percentage, such as 85%.',
  'status-unknown': () => 'Write Completed if the learner has completed it, else Not completed.',
  'formula-unsaved': () => 'Write what Excel shows in this cell when it opens the original file.',
  'text-struck': () =>
    'Write the value that counts, without ~~; all of it if nothing should be struck through.',
  'choice-invalid': ({ remedy }) => sentence(remedy),
  'row-ragged': () =>
    'Move each value under its own heading: a comma inside a value has probably split it in two, or one is missing.',
  'row-other-table': () => 'Send this table as a file of its own if it is wanted, and delete its rows here.',
  'original-unknown': () =>
    'Correct it on the sheet on which it was written; a row that is new goes into a file of its own.',
  'original-repeated': () => 'Keep the right one of the rows that say the same in _row.',
  'original-erased': () => 'Deliver the row in a file of its own if it is still wanted.',
};
