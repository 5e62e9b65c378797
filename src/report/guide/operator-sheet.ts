import type { ReportedOutage } from '../../documents/common.js';
import type { Remedy } from '../../domain/remedy.js';
import { agreeing } from '../../domain/text/count-of.js';
import { isUnresolvedRefusal } from '../../ledger/books/files/drop-list.js';
import type { ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import type { Report } from '../report.js';
import { lastingOutages, outageSubject } from '../status/outages.js';
import { commandLine } from '../text/command-line.js';
import { counted } from '../text/counted.js';
import { momentText } from '../text/local-time.js';
import { sentence } from '../text/sentence.js';
import { causeAdvice } from '../words/cause-advice.js';
import { causeWords } from '../words/causes.js';
import type { Sheet, SheetValue } from '../workbook/sheet.js';
import type { KeptCause } from './survey.js';
import { workbookWords } from './workbook-words.js';

/**
 * The sheet for the Registrar operator. Unlike the other sheets it names settings and commands. Outages, files that no source
 * takes and notices have no rows of their own, and so no number.
 */
export function operatorSheet(name: string, report: Report, causes: readonly KeptCause[]): Sheet {
  return {
    name,
    columns: workbookWords().operator,
    rows: [
      ...lastingOutages(report).map((outage) => [
        `${outageLine(outage)} ${sentence(outage.reason)}`,
        ...NO_NUMBER,
        null,
        outage.remedy,
        commands({ action: 'doctor' }, { action: 'run' }),
      ]),
      ...report.files
        .filter(isUnresolvedRefusal)
        .map(({ drop, file, source, refusal }) => [
          `A file of ${source} was refused: ${refusal ?? ''}`,
          1,
          'file',
          file,
          `Correct the file or registrar.yaml, then put the file into the inbox of ${source} again. It is in rejected/${source}/. Where its rows don't come in any more, dismiss it.`,
          commands({ action: 'run' }, { action: 'dismiss', drop }),
        ]),
      ...(report.unmatched ?? []).map(({ path, reason, remedy }) => [
        `No source takes it: it ${reason}.`,
        ...NO_NUMBER,
        path,
        remedy,
        commands({ action: 'run' }),
      ]),
      ...causes.map((cause) => causeRow(report, cause)),
      ...report.notices.map(({ message, remedy }) => [sentence(message), ...NO_NUMBER, null, remedy, null]),
    ],
    whenFull: 'There are more: registrar status lists them.',
    frozenColumns: 1,
  };
}

const NO_NUMBER = [null, null] as const;

function causeRow({ selection }: Report, cause: KeptCause): SheetValue[] {
  const { state, source, drops, rows, values } = cause;
  const { reason, remedy } = causeWords(cause);
  const { remedies, choices } = causeAdvice({ ...cause, states: [{ state, count: rows }] }, selection);
  const valueList = values.length === 0 ? '' : ` (${values.map((value) => `“${value}”`).join(', ')})`;
  return [
    sentence(`${source === null ? '' : `in files of ${source}, `}${reason}${valueList}`),
    rows,
    agreeing(rows, 'row', 'rows'),
    fileNames(drops),
    remedy,
    [commands(...remedies), ...choices.map((choice) => `${choice.when}: ${commandLine(choice.remedy)}`)]
      .join('\n')
      .trim(),
  ];
}

/** One command a line. */
function commands(...remedies: readonly Remedy[]): string {
  return remedies.map((remedy) => commandLine(remedy)).join('\n');
}

/** "Environment main can't be used since Sunday 22 November 2026 at 05:16 UTC; 12 rows wait for it." */
export function outageLine(outage: ReportedOutage): string {
  const { since, waiting } = outage;
  const waits =
    waiting > 0 ? `; ${counted(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')} for it` : '';
  return sentence(`${outageSubject(outage)} since ${momentText(since)}${waits}`);
}

/** The most names in a list: more would say nothing new. */
const NAMED = 5;

/** The first names of files, and how many more there are. */
export function fileNames(drops: readonly Pick<ListedDrop, 'file'>[]): string {
  const names = [...new Set(drops.map(({ file }) => file))];
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
