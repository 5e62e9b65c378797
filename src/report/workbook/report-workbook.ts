import { DISPOSITIONS } from '../../domain/row.js';
import { STATES } from '../../domain/submission.js';
import { ALTERATION_KINDS } from '../../domain/text/alteration.js';
import { isSetAside } from '../../ledger/books/files/drop-list.js';
import { acceptedRows } from '../../ledger/books/rows/accepted-rows.js';
import { attentionRows } from '../../ledger/books/rows/attention-rows.js';
import { type ListedDrop, listedAttempts, unsentRows } from '../../ledger/books/rows/listed-rows.js';
import type { Ledger } from '../../ledger/store/query.js';
import { countSubmissions, type Report } from '../report.js';
import { rowRemedy } from '../words/cause-words.js';
import { maskMentions, maskRefusal, maskText } from '../words/mask.js';
import { ALTERATION_WORDS } from '../words/notice-words.js';
import { zoneSaidWords } from '../words/sheet-words.js';
import { rowSubject } from './row-subject.js';
import type { Sheet, SheetColumn, SheetRows, SheetValue } from './sheet.js';
import { writeWorkbook } from './write-workbook.js';

/** The sheets of report.xlsx; docs/operate.md describes them. */
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
 * Writes the report as a workbook: its numbers, and every row and request of its selection, in the order of drops and
 * lines. Rows are named by file and line; rows that arrived or need a person also by learner and course. Their other cells
 * are in the CSV files. Personal.
 */
export async function writeReportWorkbook(
  path: string,
  ledger: Ledger,
  report: Report,
  { isMasked = false, rowsMax }: ReportWorkbookOptions = {},
): Promise<void> {
  return writeWorkbook(path, sheetsOf(ledger, report, isMasked ? MASKS : SHOWS_ALL), rowsMax);
}

/** The options of the workbook. */
export interface ReportWorkbookOptions {
  /** True: learners are shown by their beginnings alone, also where sentences repeat them; absent: in full. */
  readonly isMasked?: boolean;
  /** For tests alone. */
  readonly rowsMax?: number | undefined;
}

/** How learners are written, and sentences that may repeat a learner or a cell. */
interface Masking {
  learner(id: string | null): string | null;
  sentence(text: string | null, learner: string | null): string | null;
  refusal(text: string | null): string | null;
}

const SHOWS_ALL: Masking = {
  learner: (id) => id,
  sentence: (text) => text,
  refusal: (text) => text,
};

const MASKS: Masking = {
  learner: (id) => (id === null ? null : maskText(id)),
  sentence: (text, learner) =>
    text === null ? null : maskMentions(text.replace(QUOTED, maskText), learner === null ? [] : [learner]),
  refusal: (text) => (text === null ? null : maskRefusal(text)),
};

/** A quoted cell in a sentence: where it isn't what its column says, it may be a name. */
const QUOTED = /(?<=")[^"]*(?=")/g;

async function* sheetsOf(ledger: Ledger, report: Report, masking: Masking): AsyncGenerator<Sheet> {
  const { selection, drops } = report;
  yield sheet('Summary', SUMMARY_COLUMNS, summary(report));
  yield sheet(
    'Files',
    FILE_COLUMNS,
    report.files.map((file) => fileRow({ ...file, refusal: masking.refusal(file.refusal) })),
  );
  yield sheet('Attention', ATTENTION, attention(ledger, report, masking));
  yield sheet(
    'Accepted',
    ACCEPTED,
    ofEach(
      drops,
      (drop) => acceptedRows(ledger, drop.drop, selection),
      (row, drop) => {
        const { learner, course } = rowSubject(drop, row.record, null);
        const { acceptedAt, platformId, attempts, leftOut } = row;
        return [masking.learner(learner), course, acceptedAt, platformId, attempts, leftOut];
      },
    ),
  );
  yield sheet(
    'Duplicates',
    DUPLICATES,
    ofEach(
      drops,
      (drop) => unsentRows(ledger, drop.drop, 'duplicate', selection),
      ({ repeats }) => [repeats?.file ?? null, repeats?.line ?? null],
    ),
  );
  yield sheet(
    'Skipped',
    SKIPPED,
    ofEach(
      drops,
      (drop) => unsentRows(ledger, drop.drop, 'skipped', selection),
      (row) => [row.codes, masking.sentence(row.messages, null)],
    ),
  );
  yield sheet('Attempts', ATTEMPTS, attempts(ledger, report));
}

function sheet(
  name: (typeof REPORT_SHEETS)[number],
  columns: readonly SheetColumn[],
  rows: SheetRows,
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

/** The columns that say where a row is: its drop's number, and the line or row of its file. */
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
  for (const { code, column, count, reason, example } of report.leftOut) {
    yield [`Left out of ${column}`, code, count, `${reason}, such as ${example}`];
  }
  yield ['Existing', 'existed already', report.existing.existed, 'of the accepted submissions'];
  yield ['Existing', 'revived', report.existing.revived, 'of the accepted submissions'];
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
  count('Hidden rows'),
  text('Sheets not read'),
  text('Zone of times'),
  count('Came in again'),
  prose('Set aside because'),
  text('SHA-256'),
];

function fileRow(file: Report['files'][number]): readonly SheetValue[] {
  return [
    file.drop,
    file.source,
    file.file,
    file.state,
    file.rows,
    ...DISPOSITIONS.map((name) => file.dispositions[name]),
    ...STATES.map((name) => file.states[name] ?? 0),
    file.control?.min ?? null,
    file.control?.max ?? null,
    file.control?.state ?? null,
    file.hiddenRows,
    file.sheetsLeft.map(({ name }) => name).join(', ') || null,
    zoneSaidWords(file.zones),
    file.repeatedArrivals,
    file.refusal,
    file.sha256,
  ];
}

/** The columns that say whom and what a row is about. */
const SUBJECT = [text('Learner'), text('Course')] as const;

const ATTENTION = [
  ...PLACE,
  ...SUBJECT,
  text('State'),
  text('Code'),
  prose('Detail'),
  prose('What to do'),
  number('HTTP status'),
  count('Requests'),
  text('Error id'),
];

/** The rows that need a person. Files that were set aside come first, each as one line: they have no rows here. */
async function* attention(
  ledger: Ledger,
  { files, selection, drops }: Report,
  masking: Masking,
): AsyncGenerator<readonly SheetValue[]> {
  for (const drop of files) {
    if (!isSetAside(drop)) continue;
    const { drop: dropId, source, file, state, refusal } = drop;
    yield [dropId, source, file, null, null, null, state, null, masking.refusal(refusal), SET_ASIDE];
  }
  yield* ofEach(
    drops,
    (drop) => withSubjects(ledger, drop, selection),
    ({ row, learner, course }) => [
      masking.learner(learner),
      course,
      row.state,
      row.code,
      masking.sentence(row.detail, learner),
      masking.sentence(row.remedy, learner) ?? rowRemedy(row),
      row.status,
      row.attempts,
      row.errorId,
    ],
  );
}

async function* withSubjects(ledger: Ledger, drop: ListedDrop, selection: Report['selection']) {
  for await (const row of await attentionRows(ledger, drop.drop, selection)) {
    const { line, record, cells } = row;
    // Where a record was erased, its row's cells were erased too.
    yield { line, row, ...rowSubject(drop, record, record === null ? cells : null) };
  }
}

const SET_ASIDE = 'Correct the file or registrar.yaml, and put the file into the inbox again.';

const ACCEPTED = [
  ...PLACE,
  ...SUBJECT,
  time('Accepted at'),
  text('Platform id'),
  count('Requests'),
  text('Left out'),
];
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

async function* attempts(ledger: Ledger, { selection }: Report): AsyncGenerator<readonly SheetValue[]> {
  for await (const attempt of listedAttempts(ledger, selection)) {
    yield [
      attempt.attemptId,
      attempt.runId,
      attempt.environment,
      attempt.startedAt,
      attempt.file,
      attempt.line,
      attempt.submissions,
      attempt.outcome ?? 'open',
      attempt.status,
      attempt.reason,
      attempt.errorId,
      attempt.durationMs,
    ];
  }
}

/** The rows of each drop in turn, with the columns of their place first. */
async function* ofEach<Listed extends { readonly line: number }>(
  drops: readonly ListedDrop[],
  rowsOf: (drop: ListedDrop) => AsyncIterable<Listed>,
  cellsOf: (row: Listed, drop: ListedDrop) => readonly SheetValue[],
): AsyncGenerator<readonly SheetValue[]> {
  for (const drop of drops) {
    for await (const row of rowsOf(drop))
      yield [drop.drop, drop.source, drop.file, row.line, ...cellsOf(row, drop)];
  }
}
