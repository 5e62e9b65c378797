import { ALTERATION_KINDS } from '../domain/alteration.js';
import { DISPOSITIONS } from '../domain/row.js';
import { STATES } from '../domain/submission.js';
import { acceptedRows, attentionRows } from '../ledger/attention.js';
import {
  duplicateRows,
  type ListedDrop,
  listedAttempts,
  listedDrops,
  skippedRows,
} from '../ledger/listed-rows.js';
import type { Ledger } from '../ledger/query.js';
import { ALTERATION_WORDS } from './alteration-words.js';
import { causeWords } from './cause-words.js';
import { countSubmissions, type Report } from './report.js';
import { type Sheet, type SheetColumn, type SheetValue, writeWorkbook } from './write-workbook.js';

/** The sheets of report.xlsx; the README describes them. */
export const REPORT_SHEETS = [
  'Summary',
  'Files',
  'Attention',
  'Accepted',
  'Duplicates',
  'Skipped',
  'Attempts',
] as const;

/**
 * Writes the report as a workbook: its numbers, and every row and request of its scope, in the order of drops and
 * lines. Rows are named by file and line; what they hold is in the CSV files.
 * @param rowsMax for tests alone.
 */
export function writeReportWorkbook(
  path: string,
  ledger: Ledger,
  report: Report,
  rowsMax?: number,
): Promise<void> {
  return writeWorkbook(path, sheetsOf(ledger, report), rowsMax);
}

function* sheetsOf(ledger: Ledger, report: Report): Generator<Sheet> {
  const { scope } = report;
  const drops = listedDrops(ledger, scope);
  yield sheet('Summary', SUMMARY_COLUMNS, summary(report));
  yield sheet('Files', FILE_COLUMNS, report.files.map(fileRow));
  yield sheet('Attention', ATTENTION, attention(ledger, report, drops));
  yield sheet(
    'Accepted',
    ACCEPTED,
    ofEach(
      drops,
      (drop) => acceptedRows(ledger, drop.dropId, scope),
      (row) => [row.acceptedAt, row.platformId, row.attempts],
    ),
  );
  yield sheet(
    'Duplicates',
    DUPLICATES,
    ofEach(
      drops,
      (drop) => duplicateRows(ledger, drop.dropId, scope),
      (row) => [row.repeats.file, row.repeats.line],
    ),
  );
  yield sheet(
    'Skipped',
    SKIPPED,
    ofEach(
      drops,
      (drop) => skippedRows(ledger, drop.dropId, scope),
      (row) => [row.codes, row.messages],
    ),
  );
  yield sheet('Attempts', ATTEMPTS, attempts(ledger, report));
}

function sheet(
  name: (typeof REPORT_SHEETS)[number],
  columns: readonly SheetColumn[],
  rows: Iterable<readonly SheetValue[]>,
): Sheet {
  const whenFull =
    name === 'Accepted' || name === 'Attention'
      ? 'The sheet is full: the rest is in the CSV files.'
      : 'The sheet is full: report on one file or run to see the rest.';
  return { name, columns, rows, whenFull };
}

const text = (header: string): SheetColumn => ({ header, kind: 'text' });
const prose = (header: string): SheetColumn => ({ header, kind: 'text', wraps: true });
const number = (header: string): SheetColumn => ({ header, kind: 'number' });
const count = (header: string): SheetColumn => ({ header, kind: 'count' });
const time = (header: string): SheetColumn => ({ header: `${header} (UTC)`, kind: 'time' });

/** Where a row is: its drop's number, and the line or row of its file. */
const PLACE = [number('Drop'), text('Source'), text('File'), number('Row')] as const;

const SUMMARY_COLUMNS = [text('About'), text('What'), count('Count'), prose('In words'), prose('What to do')];

function* summary(report: Report): Generator<readonly SheetValue[]> {
  const { attempts } = report;
  yield [
    'Books',
    report.balanced ? 'balanced' : 'NOT BALANCED',
    report.imbalances.length,
    'equations that fail',
  ];
  yield ['Books', 'looked at', null, report.at];
  yield ['Rows', 'read', report.rows];
  for (const name of DISPOSITIONS) yield ['Rows', name, report.dispositions[name]];
  yield ['Submissions', 'all', countSubmissions(report)];
  for (const name of STATES) yield ['Submissions', name, report.states[name]];
  yield ['Requests', 'all', attempts.total];
  yield ['Requests', 'answered', attempts.responses];
  yield ['Requests', 'without answer', attempts.noResponses];
  yield ['Requests', 'open', attempts.open];
  yield ['Requests', 'accepted', attempts.accepted];
  yield ['Requests', 'rejected', attempts.rejected];
  yield ['Requests', 'throttled', attempts.throttled];
  yield ['Requests', 'sent again', attempts.repeats, 'although the first may have arrived'];
  yield ['Attention', 'all', report.attention, 'rows, submissions and files that need a person'];
  for (const cause of report.causes) {
    yield [
      `Attention, ${cause.state}`,
      cause.code,
      cause.count,
      `${cause.reason}, such as ${cause.example}`,
      cause.remedy,
    ];
  }
  yield ['Existing', 'existed already', report.existing.existed, 'of the accepted submissions'];
  yield ['Existing', 'restored', report.existing.restored, 'of the accepted submissions'];
  for (const kind of ALTERATION_KINDS) {
    yield ['Altered by the platform', kind, report.altered.counts[kind], ALTERATION_WORDS[kind]];
  }
  for (const { file, line, field, sent, returned } of report.altered.shown) {
    yield ['Altered by the platform', field, null, `${file}:${line}: ${sent}`, `${returned}`];
  }
  for (const notice of report.notices) {
    yield [`Notice, ${notice.environment}`, notice.code, notice.count, notice.message, notice.remedy];
  }
  for (const { equation, subject, left, right, holds } of report.equations) {
    yield ['Control equation', `${equation}, ${subject}`, left, `${holds ? '=' : 'IS NOT'} ${right}`];
  }
}

const FILE_COLUMNS = [
  ...PLACE.slice(0, 3),
  text('State'),
  count('Rows read'),
  ...DISPOSITIONS.map(count),
  ...STATES.map(count),
  count('Fewest expected'),
  count('Most expected'),
  text('Control total'),
  count('Came in again'),
  prose('Set aside because'),
  text('SHA-256'),
];

function fileRow(file: Report['files'][number]): readonly SheetValue[] {
  return [
    file.dropId,
    file.source,
    file.file,
    file.state,
    file.rowsRead,
    ...DISPOSITIONS.map((name) => file.dispositions[name]),
    ...STATES.map((name) => file.states[name] ?? 0),
    file.control?.min ?? null,
    file.control?.max ?? null,
    file.control?.state ?? null,
    file.repeatedArrivals,
    file.refusal,
    file.sha256,
  ];
}

const ATTENTION = [
  ...PLACE,
  text('State'),
  text('Code'),
  prose('Detail'),
  prose('What to do'),
  number('HTTP status'),
  count('Requests'),
  text('Error id'),
];

/** Files that were set aside come first: none of their rows is here. */
function* attention(
  ledger: Ledger,
  { files, scope }: Report,
  drops: readonly ListedDrop[],
): Generator<readonly SheetValue[]> {
  for (const { dropId, source, file, state, refusal } of files) {
    if (state === 'refused') yield [dropId, source, file, null, state, null, refusal, SET_ASIDE];
  }
  yield* ofEach(
    drops,
    (drop) => attentionRows(ledger, drop.dropId, scope),
    (row) => [
      row.state,
      row.code,
      row.detail,
      row.remedy ?? causeWords(row.code, row.state === 'invalid' ? 'row' : 'submission', row.state).remedy,
      row.status,
      row.attempts,
      row.errorId,
    ],
  );
}

const SET_ASIDE = 'Correct the file or registrar.yaml, and put the file into the inbox again.';

const ACCEPTED = [...PLACE, time('Accepted at'), text('Platform id'), count('Requests')];
const DUPLICATES = [...PLACE, text('Repeats a row of'), number('At row')];
const SKIPPED = [...PLACE, text('Code'), prose('Why')];

const ATTEMPTS = [
  number('Request'),
  number('Run'),
  text('Environment'),
  time('Sent at'),
  text('File'),
  number('Row'),
  count('Records'),
  text('Outcome'),
  number('HTTP status'),
  prose('Reason'),
  text('Error id'),
  count('Milliseconds'),
];

function* attempts(ledger: Ledger, { scope }: Report): Generator<readonly SheetValue[]> {
  for (const made of listedAttempts(ledger, scope)) {
    yield [
      made.attemptId,
      made.runId,
      made.environment,
      made.startedAt,
      made.file,
      made.line,
      made.submissions,
      made.outcome ?? 'open',
      made.status,
      made.reason,
      made.errorId,
      made.durationMs,
    ];
  }
}

/** The rows of each drop in turn, with their place before what is told of them. */
function* ofEach<Listed extends { readonly line: number }>(
  drops: readonly ListedDrop[],
  rowsOf: (drop: ListedDrop) => Iterable<Listed>,
  told: (row: Listed) => readonly SheetValue[],
): Generator<readonly SheetValue[]> {
  for (const drop of drops) {
    for (const row of rowsOf(drop)) yield [drop.dropId, drop.source, drop.file, row.line, ...told(row)];
  }
}
