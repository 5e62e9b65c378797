import { capitalized } from './text/count-of.js';
import { visibleText } from './text/visible-text.js';

/** Why a row is not a record, or a drop not readable. A test compares the reference's table with this object. */
export const ISSUE_CODES = {
  'value-missing': 'a required field is empty',
  'email-invalid': 'the e-mail address is invalid',
  'identifier-damaged':
    'a spreadsheet damaged the identifier: scientific notation, lost zeros or digits, a date or a truth value made from a code, a column too narrow to show it; or its letters were read in another encoding',
  'identifier-invalid':
    'the identifier can\'t be used: it is a spreadsheet error, a path such as "..", or similar',
  'identifier-type-unclear': 'a content id is the address of a page, and the source gives no type of ids',
  'timestamp-invalid': 'the time of completion cannot be read',
  'timestamp-unzoned': 'the time carries no zone, and source and file name none, or several that disagree',
  'timestamp-ambiguous': 'the local time is ambiguous: the hour was repeated when clocks went back',
  'timestamp-nonexistent': "the local time doesn't exist: clocks went forward over it",
  'timestamp-damaged': 'a spreadsheet cut the seconds off a time in a corrected attention file',
  'timestamp-out-of-range': 'the time is in the future or before the earliest that the source accepts',
  'date-order-unknown': 'day and month could be either way round and nothing in the column proves which',
  'dates-swapped':
    'a spreadsheet has swapped day and month where that gave a date, and left other dates as text',
  'score-invalid': 'the score is not a number from 0 to 100 in the scale of the column',
  'score-left-out':
    'the score cannot be read and is left out, as the source says; the row is a record without it',
  'score-scale-unknown': 'the score could be out of 1, 10 or 100, and nothing in the column proves which',
  'status-unknown':
    'the status, or a column beside it, is not understood: its word is neither in status.completed nor in status.notCompleted',
  'status-not-completed':
    'the status, or a column beside it, says that the learner has not completed or that the row does not count; the row is skipped',
  'status-by-policy': 'exempt, waived, expired or equivalent: skipped unless the source says otherwise',
  'date-empty':
    'the row has no date of completion, and the source counts such rows as not completed; skipped',
  'same-key-differs':
    'rows of one file are about the same learner, content and time and have different content: none counts until an operator decides',
  'same-key-lower':
    'another row of the file about the same learner, content and time has a higher score, which counts as the source says; skipped',
  'status-unseen':
    'an unmapped column seems to say who has not completed, or denies all completions of the file; the source must say what it is',
  'choice-invalid': 'the value is not one that the field accepts',
  'formula-unsaved': 'the cell is a formula whose value was not saved in the workbook',
  'text-struck': 'all or a part of the cell is struck through in the workbook',
  'row-ragged':
    'the row has more cells than the header, or a different number than nearly all rows: values may have moved',
  'row-repeats-header': 'the header again, between the data',
  'row-total': 'a total or footer line',
  'row-ruler': 'a line of dashes or the like, or an end-of-file mark (Ctrl-Z)',
  'row-preamble': 'a title or note above the header',
  'row-note': 'a title or note by itself below a blank line',
  'row-other-table': 'a row of another table in the same file',
  'learner-mapped':
    'the right address of a learner was given in a workbook and recorded; the row is not a record of its own',
  'learner-left':
    'no right address was given for a learner in a workbook: nothing is decided about the learner',
  'learner-forgotten': 'the learner was forgotten on request; rows about them are not kept',
  'not-corrected':
    'a row of a corrected attention file is unchanged or was emptied: its original stays unchanged',
  'original-unknown': 'a row of a correction workbook does not say which row it corrects',
  'original-repeated': 'several rows of a correction workbook correct the same row',
  'original-closed': 'the row to correct was delivered, replaced or dismissed meanwhile',
  'original-erased': 'the cells of the row to correct were erased',
  'mostly-invalid': 'nearly all rows of a file are invalid for the same cause',
  'header-missing': 'no line of the first 30 names the fields that a record needs',
  'header-ambiguous': 'two columns could be the same field',
  'data-above-header': 'rows above the header would be records below it',
  'header-drift': 'the header no longer fits the mapping of the source’s earlier files',
  'attention-columns-changed':
    'the columns of a corrected attention file differ from those of the file that it corrects',
  'attention-drop-unknown':
    'a corrected attention file belongs to no file in this ledger, or to a source that is gone',
  'sheet-ambiguous': 'more than one visible sheet could be the one to read',
  'sheet-uncounted':
    'a visible sheet that the source does not name holds rows that could be records, under no header',
  'drop-unreadable': 'the file is damaged, encrypted, or of a kind that is not read',
  'drop-changed': 'the file changed while it was read',
} as const;

/** Codes of rows that are records all the same: one of their values was left out, which reports count and name. */
export const OMITTED_VALUE_CODES = ['score-left-out'] as const satisfies readonly IssueCode[];

/** Issues that a setting of the source resolves without a correction in the file. */
const SETTING_CODES = [
  'timestamp-unzoned',
  'date-order-unknown',
  'score-scale-unknown',
  'status-unknown',
] as const satisfies readonly IssueCode[];

export function isFixedBySetting(code: string): boolean {
  return SETTING_CODES.some((one) => one === code);
}

/** The issue under which a row counts: the first that must be corrected in the file, else the first. */
export function leadingIssue<Coded extends { readonly code: string }>(
  issues: readonly Coded[],
): Coded | undefined {
  return issues.find(({ code }) => !isFixedBySetting(code)) ?? issues[0];
}

/** True for a row below the header of another table, which says nothing about the table that is read. */
export function isOfOtherTable([first]: readonly Pick<Issue, 'code'>[]): boolean {
  return first?.code === 'row-other-table';
}

export type IssueCode = keyof typeof ISSUE_CODES;

export interface Refusal {
  /** Of the file's first issue; control-total: it has other rows than its sender says. Never personal. */
  readonly code: IssueCode | 'control-total';
  /** May hold a value: personal. */
  readonly text: string;
}

/** Why a file is refused, as a clause without a value of it. */
export function refusalReason(code: Refusal['code']): string {
  return code === 'control-total'
    ? 'it has a different number of rows than its source declares'
    : ISSUE_CODES[code];
}

/** Two sentences. May hold the value: personal. */
export function issueText({ message, remedy }: Pick<Issue, 'message' | 'remedy'>): string {
  return visibleText(`${ended(message)} ${ended(capitalized(remedy))}`);
}

/** All issues of a row or a file: sentences, the first as the rest of one. May hold values: personal. */
export function issuesText(issues: readonly Pick<Issue, 'message' | 'remedy'>[]): string {
  return issues.map((issue, at) => (at === 0 ? issueText(issue) : capitalized(issueText(issue)))).join(' ');
}

/** One reason why a row (or a whole drop) is not what it should be. A row carries all of its issues. */
export interface Issue {
  readonly code: IssueCode;
  /** As in the file, or the field's name where the column is missing; null: the whole row. */
  readonly column: string | null;
  /** As a person would read it; null when there is none. Personal data. */
  readonly value: string | null;
  /** One sentence. May hold the value: personal data. */
  readonly message: string;
  readonly remedy: string;
}

export function issueOf(
  code: IssueCode,
  column: string | null,
  message: string,
  remedy: string,
  value: string | null = null,
): Issue {
  return { code, column, value, message, remedy };
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

export interface Refused {
  readonly kind: 'refused';
  readonly issues: readonly Issue[];
}

export function refused(...issues: readonly Issue[]): Refused {
  return { kind: 'refused', issues };
}
