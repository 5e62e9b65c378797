import type { Config } from '../../config/schema.js';
import { inboxName } from '../../config/values/inbox-folder.js';
import { TASKS_SHEET } from '../../domain/files/correction-workbook.js';
import { grouped } from '../../domain/grouped.js';
import { agreeing } from '../../domain/text/count-of.js';
import { attentionRows, type ListedDrop } from '../../ledger/books/rows/listed-rows.js';
import { unknownLearners } from '../../ledger/books/unknown-learners.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { fieldsOf, fieldText } from '../read-fields.js';
import type { Report } from '../report.js';
import { headlineText } from '../sections/verdict.js';
import { nextRecheck } from '../status/next-recheck.js';
import { counted } from '../text/counted.js';
import { localTime } from '../text/local-time.js';
import { type Actor, actorOf, causeEntry } from '../words/causes.js';
import { terms } from '../words/terms.js';
import type { Sheet, SheetValue } from '../workbook/sheet.js';
import { SHEET_ROWS_MAX, writeWorkbook } from '../workbook/write-workbook.js';
import { correctSheet, fitsSheet, type HeaderShape } from './correct-sheet.js';
import { workbookWords } from './workbook-words.js';

/** Name of the correction workbook, in the folder of the selection's report. */
export function correctionWorkbookName({ runId }: ReportSelection): string {
  return `${runId === undefined ? 'all' : `run-${runId}`}.attention.xlsx`;
}

/** Writes the workbook for the people who act on a report, a sheet for each of them. Personal. @param rowsMax for tests alone. */
export async function writeCorrectionWorkbook(
  path: string,
  ledger: Ledger,
  report: Report,
  config: Config | null,
  rowsMax = SHEET_ROWS_MAX,
): Promise<void> {
  await writeWorkbook(path, sheetsOf(ledger, report, config), rowsMax);
}

async function* sheetsOf(ledger: Ledger, report: Report, config: Config | null): AsyncGenerator<Sheet> {
  const { selection } = report;
  const openRows = await survey(ledger, report);
  const people = await unknownPeople(ledger, selection, config);
  const nameFor = sheetNames();
  const shapes = openRows.shapes.map((shape) => ({
    shape,
    name: fitsSheet(shape) ? nameFor(`Correct ${shape.source}`) : null,
  }));
  const tasks = [
    ...shapes.map(({ shape, name }) => correctTask(shape, name)),
    learnersTask(openRows, people),
    { who: 'Platform administrator', count: openRows.rows.platform, sheet: PLATFORM, what: LOOK_UP },
    operatorTask(report, openRows.rows.operator),
  ].filter(({ count }) => count > 0);
  yield firstSheet(report, tasks, config, shapes.length > 0 || openRows.rows.learners > 0);
  for (const { shape, name } of shapes) {
    if (name !== null) yield await correctSheet(ledger, name, shape, selection);
  }
  if (openRows.rows.learners > 0) {
    const columns = workbookWords().learners;
    yield { name: LEARNERS, columns, rows: people.people.map(learnerRow) };
  }
  if (openRows.rows.platform > 0)
    yield { name: PLATFORM, columns: workbookWords().platform, rows: platformRows(ledger, report) };
}

/** Who has how much to do, from one pass over all rows that need attention, before any sheet is written. */
type Survey = Awaited<ReturnType<typeof survey>>;

async function survey(ledger: Ledger, { selection, drops }: Report) {
  const rows: Record<Actor, number> = { sender: 0, learners: 0, platform: 0, operator: 0 };
  const shapes = new Map<string, ReturnType<typeof newShape>>();
  for (const drop of drops) {
    for await (const row of await attentionRows(ledger, drop.drop, selection)) {
      const actor = actorOf(row);
      rows[actor] += 1;
      if (actor === 'sender') {
        const name = JSON.stringify([drop.source, drop.header]);
        const shape = shapes.get(name) ?? newShape(drop);
        shapes.set(name, shape);
        shape.rows += 1;
        if (shape.drops.at(-1) !== drop) shape.drops.push(drop);
      }
    }
  }
  return { rows, shapes: [...shapes.values()] };
}

function newShape({ source, header }: ListedDrop) {
  return { source, header, rows: 0, drops: [] as ListedDrop[] };
}

const LEARNERS = 'Learners';
const PLATFORM = 'Platform';
const LOOK_UP = 'Look up each row on the platform, and send the answer to the Registrar operator.';

/** Most characters of a sheet's name (Excel's specifications and limits). */
const MAX_NAME_CHARS = 31;

/** Gives each sheet of a source a name that Excel accepts and that differs from all others of the workbook, case ignored. */
function sheetNames(): (wanted: string) => string {
  const used = new Set<string>();
  return (wanted) => {
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? '' : ` (${number})`;
      const name = `${wanted.slice(0, MAX_NAME_CHARS - end.length)}${end}`;
      if (used.has(name.toLowerCase())) continue;
      used.add(name.toLowerCase());
      return name;
    }
  };
}

/** One line of the table: a role, its amount of work, and the sheet with it; null: no sheet has it. */
interface Task {
  readonly who: string;
  readonly count: number;
  readonly sheet: string | null;
  readonly what: string;
}

function firstSheet(report: Report, tasks: readonly Task[], config: Config | null, goesBack: boolean): Sheet {
  const { selection, at, files, balanced } = report;
  const run = selection.runId === undefined ? 'As of' : `Run ${selection.runId} on`;
  return {
    name: TASKS_SHEET,
    columns: workbookWords().first,
    rows: tasks.map(({ who, count, sheet, what }) => [who, count, sheet, what]),
    letter: {
      title: TASKS_SHEET,
      above: [
        `${run} ${localTime(at)}${files.length === 0 ? '' : `, of ${counted(files.length, 'file')}`}`,
        balanced
          ? headlineText(report)
          : 'Registrar’s books do not balance: contact the Registrar operator before you correct anything.',
      ],
      sums: ['Together', tasks.reduce((sum, { count }) => sum + count, 0), null, null],
      below: goesBack ? ['Returning this workbook', ...returning(config)] : [],
    },
  };
}

function returning(config: Config | null): string[] {
  const sources = config?.sources ?? [];
  const folders = sources.map(inboxName).slice(0, 2).join(' or ');
  return [
    '1. Correct the red cells and fill in the yellow ones, as far as you can. Only rows that you change are sent; the others stay open.',
    `2. Save this workbook under a name that ends in .attention.xlsx and put it into any inbox folder${folders === '' ? '' : ` (${folders})`}; once is enough.`,
    '3. Your corrections replace the wrong rows. The report of the next run shows the result of each. Nothing is lost meanwhile.',
  ];
}

/** The task of correcting rows of files with one header. @param sheet null: no sheet can hold them. */
function correctTask({ source, rows, drops }: HeaderShape, sheet: string | null): Task {
  const files = drops.length === 1 ? drops[0]?.file : counted(drops.length, 'file');
  return {
    who: `Sender of the ${source} file`,
    count: rows,
    sheet,
    what:
      sheet === null
        ? `Correct the rows of ${files} in the attention CSV files: no sheet can hold the header.`
        : `Correct the red cells of ${files}; the first column says what is wrong.`,
  };
}

function learnersTask({ rows }: Survey, { people, rows: listed }: UnknownPeople): Task {
  const more =
    listed < rows.learners ? ' The sheet has those with the most rows; registrar map lists all.' : '';
  return {
    who: 'Training administrator',
    count: rows.learners,
    sheet: LEARNERS,
    what: `The platform does not know ${counted(people.length, 'learner')}: write the right address into the yellow column, or have the account created.${more}`,
  };
}

/** The operator's task, counted alone: the status and the page list it, and no cell of a workbook would resolve it. */
function operatorTask(report: Report, rows: number): Task {
  const files = report.attentionFiles;
  const what = [
    ...(files > 0 ? [`${counted(files, 'file')} ${agreeing(files, 'was', 'were')} refused.`] : []),
    ...(rows > 0 ? [`${counted(rows, 'row')} ${agreeing(rows, 'needs', 'need')} a setting or a rerun.`] : []),
    'registrar status and report.html list the details and the commands.',
  ];
  return { who: 'Registrar operator', count: rows + files, sheet: null, what: what.join(' ') };
}

async function* platformRows(
  ledger: Ledger,
  { drops, selection }: Report,
): AsyncGenerator<readonly SheetValue[]> {
  for (const drop of drops) {
    for await (const row of await attentionRows(ledger, drop.drop, selection)) {
      if (actorOf(row) !== 'platform') continue;
      const fields = fieldsOf({ ...drop, record: row.record, cells: row.cells });
      const { happened, question } = causeEntry(row);
      yield [
        happened,
        question,
        fieldText(fields, 'learner'),
        fieldText(fields, 'identifier'),
        fieldText(fields, 'timestamp'),
        fieldText(fields, 'score'),
        drop.file,
        row.line,
        `#${row.submissionId}`,
      ];
    }
  }
}

/** Unknown learners, each once, even where several environments don't know a learner. */
type UnknownPeople = Awaited<ReturnType<typeof unknownPeople>>;

/** More are too many to look up by hand, and for each one all known learners are searched for similar ones. */
const MAX_LEARNERS = 5_000;

/** Learners of the selection whom the platform doesn't know, those with the most rows first. Personal. */
async function unknownPeople(ledger: Ledger, selection: ReportSelection, config: Config | null) {
  const { listed } = await unknownLearners(ledger, selection, MAX_LEARNERS);
  const people = [...grouped(listed, ({ hash }) => hash)].map(([hash, all]) => ({
    hash,
    learner: all[0]?.learner ?? null,
    unknown: all,
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    nextRecheck: all
      .flatMap(({ hold, environment }) => nextRecheck(hold, config?.environments[environment]?.recheck) ?? [])
      .sort()[0],
  }));
  return { people, rows: people.reduce((sum, { rows }) => sum + rows, 0) };
}

function learnerRow(person: UnknownPeople['people'][number]): SheetValue[] {
  const { hash, learner, rows, nextRecheck: next, unknown } = person;
  const near = new Map(unknown.flatMap((part) => part.near.map(({ id, why }) => [id, why])));
  const example = unknown[0]?.example;
  const course = example?.fields['content-id'];
  return [
    learner?.id ?? null,
    null,
    [...near].map(([id, difference]) => `${id} (${terms().differences[difference]})`).join('\n'),
    rows,
    example === undefined
      ? ''
      : `${course === undefined ? '' : `${course}, `}${example.file}:${example.line}`,
    learner === null ? '' : (workbookWords().kinds[learner.type] ?? learner.type),
    next === undefined ? 'not automatically' : localTime(next),
    hash,
  ];
}
