import type { Config } from '../../config/schema.js';
import { GUIDE_SHEET } from '../../domain/files/guided-workbook.js';
import type { ReportSelection } from '../../ledger/drops/report-selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { Report } from '../report.js';
import type { Sheet } from '../workbook/sheet.js';
import { SHEET_ROWS_MAX, writeWorkbook } from '../workbook/write-workbook.js';
import { correctSheet, fitsSheet } from './correct-sheet.js';
import { correctTask, firstSheet, learnersTask, operatorTask, platformTask } from './first-sheet.js';
import { learnersSheet, unknownPeople } from './learners-sheet.js';
import { operatorSheet } from './operator-sheet.js';
import { platformSheet } from './platform-sheet.js';
import { survey } from './survey.js';

/** Name of the correction workbook, in the folder of the selection's report. */
export function guideName({ runId }: ReportSelection): string {
  return `${runId === undefined ? 'all' : `run-${runId}`}.attention.xlsx`;
}

/**
 * True where rows or files that were read need attention; else no workbook is written. Outages and unmatched files need no
 * workbook, since no cell of it would solve them; the page and the status name both.
 */
export function needsGuide(report: Report): boolean {
  return report.attention > 0;
}

/** What the workbook shows beside the report. */
interface GuideOptions {
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
  await writeWorkbook(path, sheetsOf(ledger, report, config), rowsMax);
}

async function* sheetsOf(ledger: Ledger, report: Report, config: Config | null): AsyncGenerator<Sheet> {
  const { selection } = report;
  const found = await survey(ledger, report);
  const people = await unknownPeople(ledger, selection, config);
  const nameFor = sheetNames([GUIDE_SHEET]);
  const shapes = found.shapes.map((shape) => ({
    shape,
    name: fitsSheet(shape) ? nameFor(`Correct ${shape.source}`) : null,
  }));
  const tasks = [
    ...shapes.map(({ shape, name }) => correctTask(shape, name)),
    learnersTask(found, people, 'Learners'),
    platformTask(found.rows.platform, 'Platform'),
    operatorTask(report, found.rows.operator, 'Registrar'),
  ].filter(({ count, uncounted = [] }) => count + uncounted.length > 0);
  yield firstSheet(report, tasks, config, shapes.length > 0 || found.rows.learners > 0);
  for (const { shape, name } of shapes) {
    if (name !== null) yield await correctSheet(ledger, { name, shape, selection });
  }
  for (const { sheet } of tasks) {
    if (sheet === 'Learners') yield learnersSheet(sheet, people, config);
    if (sheet === 'Platform') yield platformSheet(ledger, sheet, found.platformDrops, selection);
    if (sheet === 'Registrar') yield operatorSheet(sheet, report, found.causes);
  }
}

/** Most characters of a sheet's name (Excel's specifications and limits). */
const LONGEST_NAME = 31;

/** Gives each sheet a name that Excel accepts and that differs from all others of the workbook, case ignored. */
function sheetNames(others: readonly string[]): (wanted: string) => string {
  const taken = new Set(others.map((name) => name.toLowerCase()));
  return (wanted) => {
    const plain = wanted
      .replace(/[\\/?*[\]:]/g, ' ')
      .replace(/^'+|'+$/g, '')
      .trim();
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? '' : ` (${number})`;
      const name = `${plain.slice(0, LONGEST_NAME - end.length).trim()}${end}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}
