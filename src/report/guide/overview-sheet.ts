import { GUIDE_SHEET } from '../../domain/files/guided-workbook.js';
import { counted } from '../page/words.js';
import type { Report } from '../report.js';
import type { Letter, LetterLine } from '../workbook/sheet.js';
import { momentText } from './day-text.js';
import { fileNames, setAsideFiles } from './registrar-sheet.js';

/** One line of the table: who has how much to do, and on which sheet it stands. */
export interface Task {
  readonly who: string;
  /** Rows, submissions and files, as the report counts what needs a person. */
  readonly count: number;
  /** Further things to do, which the report doesn't count: "2 files not taken in". */
  readonly uncounted?: readonly string[];
  readonly sheet: string;
  readonly what: string;
  readonly byWhen: string;
}

/** The inboxes into which the workbook may be put back. */
export interface Inboxes {
  /** The inboxes' paths, relative to the workspace. */
  readonly names: readonly string[];
  /** False where the `match` of a source takes no other workbooks than those with the names that Registrar gives. */
  readonly takeAnyName: boolean;
}

/** The first sheet: what happened, who does what and on which sheet, and how the workbook goes back. */
export function overviewSheet(
  report: Report,
  tasks: readonly Task[],
  inboxes: Inboxes,
  goesBack: boolean,
): Letter {
  return {
    name: GUIDE_SHEET,
    widths: [38, 11, 26, 72, 48],
    lines: [
      line('title', GUIDE_SHEET),
      line('text', subject(report)),
      line('text', verdict(report)),
      line('text', ''),
      { look: 'head', cells: ['Who', 'How many', 'Sheet', 'What to do', 'By when'] },
      ...tasks.map(
        ({ who, count, sheet, what, byWhen }): LetterLine => ({
          look: 'row',
          cells: [who, count === 0 ? '' : count, { toSheet: sheet }, what, byWhen],
        }),
      ),
      {
        look: 'sum',
        cells: ['Together', tasks.reduce((sum, { count }) => sum + count, 0), '', besides(tasks), ''],
      },
      line('text', ''),
      ...(goesBack
        ? [line('heading', 'Returning this workbook'), ...back(inboxes).map((text) => line('text', text))]
        : []),
    ],
  };
}

/** The things to do that the sum leaves out, so that it equals the report's count; '' where there are none. */
function besides(tasks: readonly Task[]): string {
  const uncounted = tasks.flatMap(({ uncounted: named = [] }) => named);
  return uncounted.length === 0
    ? ''
    : `Rows, and files that were set aside. Not counted: ${uncounted.join(', and ')}.`;
}

function line(look: LetterLine['look'], text: string): LetterLine {
  return { look, cells: [text] };
}

function subject({ selection, at, files }: Report): string {
  const of = files.length === 0 ? '' : `, of ${fileNames(files)}`;
  const run = selection.runId === undefined ? 'As things stood' : `Run ${selection.runId}`;
  return `${run} on ${momentText(at)}${of}`;
}

function verdict(report: Report): string {
  const { states, attention, balanced } = report;
  if (!balanced)
    return 'Registrar’s books do not balance: ask the Registrar operator before you correct anything.';
  const aside = setAsideFiles(report).length;
  const waiting = states.waiting + states.sending;
  const need = [
    ...(attention > aside ? [counted(attention - aside, 'row')] : []),
    ...(aside > 0 ? [counted(aside, 'file')] : []),
  ].join(' and ');
  const rest = waiting > 0 ? `, ${counted(waiting, 'row')} waiting` : '';
  return `${counted(states.accepted, 'row')} arrived on the platform${rest}. ${need} ${attention === 1 ? 'needs' : 'need'} attention:`;
}

function back({ names, takeAnyName }: Inboxes): string[] {
  const named = names.slice(0, 2).join(' or ');
  const name = takeAnyName ? 'any name as .xlsx' : 'a name that ends in .attention.xlsx';
  return [
    '1. Correct the red cells and fill in the yellow ones, as far as you can; the rest may stay. Refused rows that you leave unchanged are sent again.',
    `2. Save this workbook under ${name} and put it into any inbox folder${named === '' ? '' : ` (${named})`}; once is enough.`,
    '3. Your corrections replace the wrong rows. The report of the next run shows the result of each.',
  ];
}
