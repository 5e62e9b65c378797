import type { ReportedOutage } from '../../documents/common.js';
import type { Remedy } from '../../domain/remedy.js';
import { agreeing } from '../../domain/text/count-of.js';
import { isSetAside } from '../../ledger/books/files/drop-list.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import { sentence } from '../page/causes.js';
import { counted } from '../page/words.js';
import type { Report } from '../report.js';
import { lastingOutages, outageSubject } from '../status/outages.js';
import { commandLine } from '../text/command-line.js';
import { causeAdvice } from '../words/cause-advice.js';
import { causeWords } from '../words/cause-words.js';
import type { Sheet, SheetColumn, SheetValue } from '../workbook/sheet.js';
import { momentText } from './day-text.js';
import type { KeptCause } from './survey.js';

/** The sheet for the Registrar operator. Unlike the other sheets it names settings and commands. */
export function registrarSheet(name: string, report: Report, causes: readonly KeptCause[]): Sheet {
  return {
    name,
    columns: COLUMNS,
    rows: [
      ...unusable(report),
      ...setAside(report),
      ...untaken(report),
      ...causes.map((cause) => causeRow(report, cause)),
      ...noticed(report),
    ],
    whenFull: 'There are more: registrar status lists them.',
    frozenColumns: 1,
  };
}

const COLUMNS: readonly SheetColumn[] = [
  { header: 'What happened', kind: 'text', look: 'guide', wraps: true, width: 50 },
  { header: 'How many', kind: 'count' },
  { header: 'Of', kind: 'text', width: 8 },
  { header: 'Files', kind: 'text', wraps: true, width: 32 },
  { header: 'What to do', kind: 'text', wraps: true, width: 52 },
  { header: 'Command, in the workspace folder', kind: 'text', wraps: true, width: 50 },
];

/** Lines about environments that can't be used: an outage has no rows of its own, and so no number. */
function unusable(report: Report): SheetValue[][] {
  return lastingOutages(report).map((outage) => [
    `${outageLine(outage)} ${sentence(outage.reason)}`,
    null,
    null,
    null,
    outage.remedy,
    commandLines({ action: 'doctor' }, { action: 'run' }),
  ]);
}

/** "Environment main can't be used since Sunday 22 November 2026 at 05:16 UTC; 12 rows wait for it." */
export function outageLine(outage: ReportedOutage): string {
  const { since, waiting } = outage;
  const waits =
    waiting > 0 ? `; ${counted(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')} for it` : '';
  return sentence(`${outageSubject(outage)} since ${momentText(since)}${waits}`);
}

/** Lines about files that no source takes: they were not read, so they have no number either. */
function untaken(report: Report): SheetValue[][] {
  return (report.untaken ?? []).map(({ path, reason, remedy }) => [
    `No source takes it: it ${reason}.`,
    null,
    null,
    path,
    remedy,
    commandLines({ action: 'run' }),
  ]);
}

function setAside(report: Report): SheetValue[][] {
  return setAsideFiles(report).map(({ drop, file, source, refusal }) => [
    `A file of ${source} was refused, and none of its rows were imported: ${refusal ?? ''}`,
    1,
    'file',
    file,
    `Correct the file or registrar.yaml, then put the file into the inbox of ${source} again. It lies in rejected/${source}/. Where its rows don't come in any more, dismiss it.`,
    commandLines({ action: 'run' }, { action: 'dismiss', drop }),
  ]);
}

/** Files of the report that were set aside as a whole and are still open. */
export function setAsideFiles({ files }: Report): Report['files'] {
  return files.filter(isSetAside);
}

function causeRow({ selection }: Report, cause: KeptCause): SheetValue[] {
  const { state, source, drops, rows, values } = cause;
  const words = causeWords(cause);
  const { remedies, choices } = causeAdvice({ ...cause, states: [{ state, count: rows }] }, selection);
  const named = values.length === 0 ? '' : ` (${values.map((value) => `“${value}”`).join(', ')})`;
  return [
    sentence(`${source === null ? '' : `in files of ${source}, `}${words.reason}${named}`),
    rows,
    rows === 1 ? 'row' : 'rows',
    fileNames(drops),
    words.remedy,
    [
      ...remedies.map((remedy) => commandLine(remedy)),
      ...choices.map(({ when, remedy }) => `${when}: ${commandLine(remedy)}`),
    ].join('\n'),
  ];
}

/** One command a line. */
function commandLines(...remedies: readonly Remedy[]): string {
  return remedies.map((remedy) => commandLine(remedy)).join('\n');
}

/** Lines about what the run noticed about environments, which is about no row. */
function noticed({ notices }: Report): SheetValue[][] {
  return notices.map(({ message, remedy }) => [sentence(message), null, null, null, remedy, null]);
}

/** The most names in a list: more would say nothing new. */
const NAMED = 5;

/** The first names of files, and how many more there are. */
export function fileNames(drops: readonly Pick<ListedDrop, 'file'>[]): string {
  const names = [...new Set(drops.map(({ file }) => file))];
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
