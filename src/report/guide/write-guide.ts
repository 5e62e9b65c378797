import type { Config } from '../../config/schema.js';
import { globMatcher } from '../../config/values/glob.js';
import { inboxName } from '../../config/values/inbox-folder.js';
import { GUIDE_SHEET } from '../../domain/files/guided-workbook.js';
import { agreeing } from '../../domain/text/count-of.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { counted } from '../page/words.js';
import type { Report } from '../report.js';
import { lastingOutages } from '../status/outages.js';
import type { Letter, Sheet } from '../workbook/sheet.js';
import { SHEET_ROWS_MAX, writeWorkbook } from '../workbook/write-workbook.js';
import { correctSheet } from './correct-sheet.js';
import { dayText } from './day-text.js';
import { learnersSheet, type UnknownPeople, unknownPeople } from './learners-sheet.js';
import { LEFT_OUT, leftOut } from './left-out.js';
import { type Inboxes, overviewSheet, type Task } from './overview-sheet.js';
import { platformSheet } from './platform-sheet.js';
import { fileNames, outageLine, registrarSheet, setAsideFiles } from './registrar-sheet.js';
import { sheetNames } from './sheet-names.js';
import { type HeaderShape, type Survey, survey } from './survey.js';

/** Name of the workbook that guides people through what is to be done, in the folder of the selection's report. */
export function guideName({ runId }: ReportSelection): string {
  return `${runId === undefined ? 'all' : `run-${runId}`}.attention.xlsx`;
}

/**
 * True where rows or files that were read need somebody; else no workbook is written. Outages and files that were not taken
 * in need no workbook, since no cell of it would mend them; the page and the status name both.
 */
export function needsGuide(report: Report): boolean {
  return report.attention > 0;
}

/** What the workbook shows beside the report. */
export interface GuideOptions {
  readonly config: Config | null;
  /** For tests alone. */
  readonly rowsMax?: number;
}

/**
 * Writes the workbook for the people who act on a report: what is to be done and by whom, then a sheet for each of them.
 * All cells are text that people edit; the workbook comes back through any inbox. Personal.
 */
export async function writeGuide(
  path: string,
  ledger: Ledger,
  report: Report,
  { config, rowsMax = SHEET_ROWS_MAX }: GuideOptions,
): Promise<void> {
  const found = await survey(ledger, report);
  const people = await unknownPeople(ledger, report.selection, config, found.addresses);
  await writeWorkbook(path, sheetsOf({ ledger, report, config, found, people, rowsMax }), rowsMax);
}

interface Guide {
  readonly ledger: Ledger;
  readonly report: Report;
  readonly config: Config | null;
  readonly found: Survey;
  readonly people: UnknownPeople;
  readonly rowsMax: number;
}

async function* sheetsOf({
  ledger,
  report,
  config,
  found,
  people,
  rowsMax,
}: Guide): AsyncGenerator<Sheet | Letter> {
  const { selection } = report;
  const nameFor = sheetNames();
  nameFor(GUIDE_SHEET);
  nameFor(LEFT_OUT);
  const shapes = found.shapes.map((shape) => ({ shape, name: nameFor(`Correct ${shape.source}`) }));
  const names = { learners: 'Learners', platform: 'Platform', registrar: 'Registrar' };
  const tasks = [
    ...shapes.map(({ shape, name }) => correctTask(shape, name)),
    learnersTask(found, people, names.learners),
    platformTask(found.rows.platform, names.platform),
    registrarTask(report, found.rows.keeper, names.registrar),
  ].filter(({ count, uncounted = [] }) => count + uncounted.length > 0);
  const goesBack = shapes.length > 0 || found.rows.learners > 0;
  yield overviewSheet(report, tasks, inboxesOf(config), goesBack);
  const out = leftOut();
  for (const { shape, name } of shapes) {
    const sheet = await correctSheet(ledger, { name, shape, selection, rowsMax }, out);
    if (sheet !== null) yield sheet;
  }
  if (found.rows.learners > 0) yield learnersSheet(names.learners, people, found, config, out);
  if (found.rows.platform > 0)
    yield await platformSheet(ledger, names.platform, found.platformDrops, selection);
  if (tasks.some(({ sheet }) => sheet === names.registrar)) {
    yield registrarSheet(names.registrar, report, found.causes);
  }
  const left = out.sheet();
  if (left !== null) yield left;
}

const WHENEVER = 'Whenever you can; nothing is lost meanwhile.';

function correctTask({ source, rows, drops }: HeaderShape, sheet: string): Task {
  return {
    who: `Sender of the ${source} file`,
    count: rows,
    sheet,
    what: `Correct the red cells of ${drops.length === 1 ? drops[0]?.file : counted(drops.length, 'file')}; the first column says what is wrong.`,
    byWhen: WHENEVER,
  };
}

function learnersTask(
  { rows, addresses }: Survey,
  { people, askedUntil }: UnknownPeople,
  sheet: string,
): Task {
  const unknown = people.filter((person) => person.in.length > 0).length;
  const tasks = [
    ...(unknown > 0
      ? [
          `The platform does not know ${counted(unknown, 'learner')}: write the right address into the yellow column, or have the account made.`,
        ]
      : []),
    ...(addresses.length > 0
      ? [
          `Correct the ${addresses.length === 1 ? 'address' : `${addresses.length} addresses`} that could not be taken.`,
        ]
      : []),
  ];
  return {
    who: 'Training administrator',
    count: rows.learners,
    sheet,
    what: tasks.join(' '),
    byWhen:
      askedUntil === null
        ? WHENEVER
        : `New accounts by ${dayText(askedUntil)}: until then Registrar asks again by itself. Addresses whenever you can.`,
  };
}

function platformTask(count: number, sheet: string): Task {
  return {
    who: 'Platform administrator',
    count,
    sheet,
    what: 'Look up each row on the platform, and send the answer to the Registrar operator.',
    byWhen: WHENEVER,
  };
}

function registrarTask(report: Report, rows: number, sheet: string): Task {
  const aside = setAsideFiles(report).length;
  const outages = lastingOutages(report);
  const untaken = report.untaken ?? [];
  const waiting = outages.reduce((sum, outage) => sum + outage.waiting, 0);
  return {
    who: 'Registrar operator',
    count: rows + aside,
    uncounted: [
      ...(outages.length > 0 ? [counted(outages.length, 'outage')] : []),
      ...(untaken.length > 0 ? [`${counted(untaken.length, 'file')} not taken in`] : []),
    ],
    sheet,
    what: [
      ...outages.map(outageLine),
      ...(untaken.length > 0
        ? [
            `No source takes ${counted(untaken.length, 'file')}: ${fileNames(untaken.map(({ path }) => ({ file: path })))}.`,
          ]
        : []),
      countedTask(rows, aside),
    ].join(' '),
    byWhen:
      waiting > 0
        ? `As soon as you can: ${counted(waiting, 'row')} ${agreeing(waiting, 'waits', 'wait')}, and nothing is lost meanwhile.`
        : WHENEVER,
  };
}

function countedTask(rows: number, aside: number): string {
  if (aside > 0) {
    return `${counted(aside, 'file')} ${aside === 1 ? 'was' : 'were'} set aside as a whole${rows > 0 ? ', and rows wait for a setting or for being sent again' : ''}: each line says what to do.`;
  }
  return rows > 0
    ? 'Correct a setting or send rows again, as each line says.'
    : 'Each line of the sheet says why, and what to do.';
}

function inboxesOf(config: Config | null): Inboxes {
  const sources = config?.sources ?? [];
  return {
    names: sources.map(inboxName),
    takeAnyName: sources.every(({ match }) => globMatcher(match)('workbook.xlsx')),
  };
}
