import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/schema.js';
import type { UnmatchedFile } from '../../src/documents/common.js';
import { msFromIso } from '../../src/domain/clock.js';
import {
  LEARNER_MARK,
  RIGHT_ADDRESS,
  TASK_COLUMNS,
  taskColumns,
} from '../../src/domain/files/correction-workbook.js';
import { endOutages, type OutageCause, recordOutages } from '../../src/ledger/attempts/outages.js';
import { releaseLease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/operations/keys.js';
import {
  correctionWorkbookName,
  writeCorrectionWorkbook,
} from '../../src/report/corrections/write-correction-workbook.js';
import { needsCorrectionWorkbook, reconcile } from '../../src/report/report.js';
import { sourceOf, stageContent, stageSheets } from '../staging/staging-bench.js';
import { decider } from '../support/decider.js';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { manualClock } from '../support/manual-clock.js';
import {
  ACCEPTED,
  deliverNext,
  mustLease,
  REJECTED,
  SERVER_ERROR,
  testLedger,
  UNKNOWN_LEARNER,
} from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

/** `recheck` as the defaults have it. */
const CONFIG = {
  environments: { main: { recheck: { afterMs: 7 * 86_400_000, times: 4 } } },
  sources: ['academy', 'campus'].map((name) => ({ name, match: '*.{csv,xlsx}' })),
} as unknown as Config;

const REFUSED_SECRET: OutageCause = {
  operation: null,
  fault: {
    code: 'credentials',
    message: 'HTTP 401 invalid_client',
    host: 'token',
    address: 'https://platform.example/oauth/token',
  },
};

const UNMATCHED: readonly UnmatchedFile[] = [
  {
    source: 'academy',
    path: 'inbox/academy/October.ods',
    code: 'not-read',
    reason: 'is an OpenDocument file',
    remedy: 'Save it as .xlsx.',
  },
  {
    source: null,
    path: 'inbox/Spring',
    code: 'no-inbox',
    reason: 'is directly in inbox/',
    remedy: 'Put its files into an inbox.',
  },
];

describe('a sheet of rows to correct', () => {
  it('says in front what is wrong, in plain words, and marks the faulty cells by colour', async () => {
    const ledger = testLedger();
    await stageContent(
      ledger,
      csvOf([exportRow(1), exportRow(2, { email: 'not one', score: 185 }), exportRow(3, { email: '' })]),
    );
    const sheet = sheetNamed(await guideOf(ledger), 'Correct academy');
    const [header, first, second] = textsOf(sheet);
    expect(header?.slice(0, 2)).toEqual([...TASK_COLUMNS]);
    expect(first?.[0]).toBe(
      'Email "not one" is not one e-mail address: it has no @.\nScore "185" is not between 0 and 100.',
    );
    expect(second?.slice(0, 2)).toEqual(['Email is empty.', 'Fill the coloured cell in.']);
    const at = (row: number, column: string) => sheet.getCell(row, (header?.indexOf(column) ?? -1) + 1);
    for (const [row, column] of [
      [2, 'Email'],
      [2, 'Score'],
      [3, 'Email'],
    ] as const) {
      expect(fillOf(at(row, column)), `${column} of row ${row}`).toBe('FFFECACA');
    }
    for (const [row, column] of [
      [2, 'Course ID'],
      [3, 'Score'],
    ] as const) {
      expect(fillOf(at(row, column))).toBeUndefined();
    }
    expect(sheet.views[0]).toMatchObject({ state: 'frozen', xSplit: 1, ySplit: 1 });
    const widths = sheet.columns.map(({ width = 0 }) => width);
    expect(widths.slice(0, 2 + 5).reduce((sum, width) => sum + width, 0)).toBeLessThan(195);
  });

  it('speaks no YAML and names no field of the requests, whatever is wrong', async () => {
    const ledger = testLedger();
    const broken = [
      exportRow(1, { email: '' }),
      exportRow(2, { email: 'a@@example.org' }),
      exportRow(3, { at: '' }),
      exportRow(4, { at: 'never' }),
      exportRow(5, { at: '2099-01-01 10:00:00' }),
      exportRow(6, { at: '2023-10-29 02:30:00' }),
      exportRow(7, { at: '2024-03-31 02:30:00' }),
      exportRow(8, { score: 1850 }),
      exportRow(9, { course: '1.23457E+12' }),
      exportRow(10, { course: '' }),
    ];
    await stageContent(ledger, `${csvOf(broken)}a@example.org,C1,never,1,Completed,more,and more\n`);
    await stageContent(ledger, csvOf([exportRow(11)]), {
      source: sourceOf({ name: 'campus', scale: '0-1' }),
    });
    const workbook = await guideOf(ledger);
    const sheet = sheetNamed(workbook, 'Correct academy');
    expect(sheet.rowCount).toBe(broken.length + 2);
    for (const read of [sheet, sheetNamed(workbook, 'Correct campus'), sheetNamed(workbook, 'What to do')]) {
      for (const text of textsOf(read).flat()) {
        expect(text).not.toMatch(
          /registrar\.yaml|[a-z]: \{|defaults|user-id|content-id|completed-at|percentile/,
        );
      }
      for (const note of notesOf(read))
        expect(note).not.toMatch(/registrar\.yaml|defaults|user-id|content-id/);
    }
  });

  it('of a source whose files have other headers are several, each with the columns of its files', async () => {
    const ledger = testLedger();
    const wrong = exportRow(1, { email: 'nobody' });
    await stageContent(ledger, csvOf([wrong]));
    await stageContent(ledger, 'Course ID,Email,Completed on\nC1,nobody,2024-01-05 08:00:00\n', {
      confirmedBy: decider('test'),
    });
    await stageContent(ledger, csvOf([exportRow(2, { email: 'nobody either' })]), {
      confirmedBy: decider('test'),
    });
    await stageContent(ledger, csvOf([wrong]), { source: sourceOf({ name: 'campus' }) });
    const workbook = await guideOf(ledger);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual([
      'What to do',
      'Correct academy',
      'Correct academy (2)',
      'Correct campus',
    ]);
    const drops = textsOf(sheetNamed(workbook, 'Correct academy')).map((row) => row.at(-1)?.split('-')[0]);
    expect(drops).toEqual(['_drop', '1', '3']);
    expect(textsOf(sheetNamed(workbook, 'Correct academy (2)'))[0]?.slice(2, 5)).toEqual([
      'Course ID',
      'Email',
      'Completed on',
    ]);
  });

  it('keeps columns of the file that are called like ours apart from ours', async () => {
    expect(taskColumns(['Email', 'What to do '])).toEqual(['What is wrong', 'What to do (Registrar)']);
    const ledger = testLedger();
    await stageContent(
      ledger,
      'What is wrong,Email,Course ID,Completed on\nnothing,nobody,C1,2024-01-05 08:00:00\n',
    );
    const [header, row] = textsOf(sheetNamed(await guideOf(ledger), 'Correct academy'));
    expect(header?.slice(0, 3)).toEqual(['What is wrong (Registrar)', 'What to do', 'What is wrong']);
    expect(row?.[2]).toBe('nothing');
  });

  it('has what the platform refused for the row’s own content, in the platform’s words, and no other refusal', async () => {
    const ledger = testLedger();
    const { runId } = await staged(ledger, 3);
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await deliverNext(ledger, lease, runId, REJECTED, 409);
    await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    await releaseLease(ledger, lease);
    const workbook = await guideOf(ledger);
    const rows = textsOf(sheetNamed(workbook, 'Correct academy'));
    expect(rows.slice(1).map((row) => row[0])).toEqual(['The platform refused this row.']);
    expect(
      textsOf(sheetNamed(workbook, 'Platform'))
        .slice(1)
        .map(([happened]) => happened),
    ).toEqual(['The platform says that it already has this.']);
    expect(textsOf(sheetNamed(workbook, 'Learners'))).toHaveLength(2);
  });
});

describe('the sheet of learners whom the platform does not know', () => {
  it('has each once, with rows, near ones, the next recheck, the mark, and an empty cell for the right address', async () => {
    const ledger = testLedger();
    await stageContent(
      ledger,
      csvOf([
        exportRow(1, { email: 'ada.lovelace@example.org' }),
        exportRow(2, { email: 'ada.lovelace@exampel.org' }),
        exportRow(3, { email: 'ada.lovelace@exampel.org' }),
        exportRow(4, { email: 'someone@else.example' }),
      ]),
    );
    const runId = 1;
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, runId, ACCEPTED);
    for (let sent = 0; sent < 2; sent += 1) await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
    await releaseLease(ledger, lease);
    const workbook = await guideOf(ledger);
    const [header = [], ...rows] = textsOf(sheetNamed(workbook, 'Learners'));
    const records = rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]])));
    expect(records).toMatchObject([
      {
        Learner: 'ada.lovelace@exampel.org',
        [RIGHT_ADDRESS]: '',
        'Similar learners': 'ada.lovelace@example.org (another domain)',
        Rows: '2',
        Kind: 'E-mail address',
        [LEARNER_MARK]: keyMaker(ledger.salt).learner('Email', 'ada.lovelace@exampel.org'),
      },
      { Learner: 'someone@else.example', Rows: '1', 'Similar learners': '' },
    ]);
    expect(records[0]?.['Next check']).toMatch(/^\w+ \d+ \w+ \d\d:\d\d \S+$/);
    const line = textsOf(sheetNamed(workbook, 'What to do')).find(([, , sheet]) => sheet === 'Learners');
    expect(line?.slice(1, 4)).toEqual(['3', 'Learners', expect.stringContaining('does not know 2 learners')]);
    const cell = sheetNamed(workbook, 'Learners').getCell(2, header.indexOf(RIGHT_ADDRESS) + 1);
    expect([fillOf(cell), cell.numFmt]).toEqual(['FFFEF9C3', '@']);
    expect(noteOf(sheetNamed(workbook, 'Learners').getCell(1, header.indexOf(RIGHT_ADDRESS) + 1))).toContain(
      'all rows of the learner, also in future files',
    );
  });
});

describe('a row or learner that is counted more than once', () => {
  it('is one line where several things of one row were refused: it is corrected once', async () => {
    const ledger = testLedger();
    await stageContent(ledger, 'Course ID,Skills\nC1,Welding; Soldering\n', {
      source: sourceOf({ operation: 'add-skills' }),
    });
    const lease = await mustLease(ledger, 'push:main');
    // Together first, then each alone.
    for (let requests = 0; requests < 3; requests += 1) await deliverNext(ledger, lease, 1, REJECTED, 400);
    await releaseLease(ledger, lease);
    expect((await reconcile(ledger, {})).attention).toBe(2);
    const workbook = await guideOf(ledger);
    expect(textsOf(sheetNamed(workbook, 'Correct academy'))).toHaveLength(2);
    const line = textsOf(sheetNamed(workbook, 'What to do')).find(
      ([, , sheet]) => sheet === 'Correct academy',
    );
    expect(line?.[1]).toBe('2');
  });

  it('is one line where two environments do not know one learner', async () => {
    const ledger = testLedger();
    for (const environment of ['main', 'other']) {
      await stageContent(ledger, csvOf([exportRow(1)]), {
        source: sourceOf({ name: environment, environment }),
      });
      const lease = await mustLease(ledger, `push:${environment}`);
      await deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
      await releaseLease(ledger, lease);
    }
    const [header = [], ...rows] = textsOf(sheetNamed(await guideOf(ledger), 'Learners'));
    expect(rows.map((row) => [row[0], row[header.indexOf('Rows')]])).toEqual([['learner1@example.org', '2']]);
  });
});

describe('a right address that could not be taken', () => {
  it('leaves the learner on the sheet, and sets the workbook that gave it aside, which is counted', async () => {
    const ledger = testLedger();
    await stageContent(ledger, csvOf([exportRow(1)]));
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
    await releaseLease(ledger, lease);
    const filled = await guideOf(ledger);
    const learners = sheetNamed(filled, 'Learners');
    const names = textsOf(learners)[0] ?? [];
    learners.getCell(2, names.indexOf(RIGHT_ADDRESS) + 1).value = 'ada at example';
    await stageSheets(ledger, Buffer.from(await filled.xlsx.writeBuffer()));

    const workbook = await guideOf(ledger);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['What to do', 'Learners']);
    const [header = [], ...rows] = textsOf(sheetNamed(workbook, 'Learners'));
    expect(
      rows.map((row) => [row[0], row[header.indexOf('Rows')], row[header.indexOf(LEARNER_MARK)]]),
    ).toEqual([
      ['learner1@example.org', '1', keyMaker(ledger.salt).learner('Email', 'learner1@example.org')],
    ]);
    expect(operatorsTask(workbook)?.[3]).toContain('1 file was refused.');
    const report = await reconcile(ledger, {});
    expect(report).toMatchObject({ attention: 2, attentionFiles: 1 });
    expect(report.files.map(({ refusal }) => refusal).join('')).toContain(
      '"ada at example" is not one e-mail address',
    );
  });
});

describe('the sheet of what is to be looked up on the platform', () => {
  it('says of an amended row that a later file has other values', async () => {
    const ledger = testLedger();
    await stageContent(ledger, csvOf([exportRow(1, { score: 60 })]));
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, 1, ACCEPTED);
    await releaseLease(ledger, lease);
    await stageContent(ledger, csvOf([exportRow(1, { score: 99 })]));
    const [, row] = textsOf(sheetNamed(await guideOf(ledger), 'Platform'));
    expect(row?.slice(0, 4)).toEqual([
      'The platform has this completion; a later file has other values.',
      'Which is right: what the platform shows, or this row?',
      'learner1@example.org',
      'COURSE-1',
    ]);
    expect(row?.at(-1)).toBe('#2');
  });
});

describe('the first sheet', () => {
  it('has a line for each sheet, one for the operator, and counts that add up to the report', async () => {
    const clock = manualClock();
    const ledger = testLedger(clock);
    await stageContent(
      ledger,
      csvOf([...exportRows(5), exportRow(6, { email: 'nobody' }), exportRow(7, { status: 'Waved through' })]),
    );
    await stageContent(ledger, 'no header\nat all\n', { confirmedBy: decider('test') });
    const lease = await mustLease(ledger, 'push:main');
    await deliverNext(ledger, lease, 1, ACCEPTED);
    await deliverNext(ledger, lease, 1, UNKNOWN_LEARNER, 400);
    await deliverNext(ledger, lease, 1, REJECTED, 400);
    await deliverNext(ledger, lease, 1, REJECTED, 409);
    for (let tries = 0; tries < 3; tries += 1) {
      clock.pass(60_000);
      await deliverNext(ledger, lease, 1, SERVER_ERROR, 503);
    }
    await releaseLease(ledger, lease);
    const report = await reconcile(ledger, {});
    const workbook = await guideOf(ledger);
    const overview = sheetNamed(workbook, 'What to do');
    const texts = textsOf(overview);
    const from = texts.findIndex(([who]) => who === 'Who') + 1;
    const to = texts.findIndex(([who]) => who === 'Together');
    const lines = texts.slice(from, to);
    expect(lines.map(([, count, sheet]) => [sheet, count])).toEqual([
      ['Correct academy', '2'],
      ['Learners', '1'],
      ['Platform', '1'],
      ['', '3'],
    ]);
    expect(lines.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(report.attention);
    expect(texts[to]?.[1]).toBe(String(report.attention));
    expect(texts.flat().join('\n')).toContain('1 row accepted, 6 rows and 1 file need attention.');
    expect(workbook.worksheets.slice(1).map(({ name }) => name)).toEqual(
      lines.slice(0, -1).map(([, , sheet]) => sheet),
    );
    expect(operatorsTask(workbook)?.[3]).toBe(
      '1 file was refused. 2 rows need a setting or a rerun. registrar status and report.html list the details and the commands.',
    );
  });

  it('says of rows that wait for nothing that nothing is lost, and how the workbook goes back', async () => {
    const ledger = testLedger();
    await stageContent(ledger, csvOf([exportRow(1, { email: 'nobody' })]));
    const text = textsOf(sheetNamed(await guideOf(ledger), 'What to do'))
      .flat()
      .join('\n');
    expect(text).toContain('Nothing is lost meanwhile.');
    expect(text).toContain('put it into any inbox folder (inbox/academy or inbox/campus); once is enough.');
  });

  it('names a file that every inbox takes, where one does not take a workbook of any name', async () => {
    const ledger = testLedger();
    await stageContent(ledger, csvOf([exportRow(1, { email: 'nobody' })]));
    const [academy, campus] = CONFIG.sources;
    const config = { ...CONFIG, sources: [{ ...academy, match: 'a*.csv' }, campus] } as Config;
    expect(
      textsOf(sheetNamed(await guideOf(ledger, { config }), 'What to do'))
        .flat()
        .join('\n'),
    ).toContain(
      'Save this workbook under a name that ends in .attention.xlsx and put it into any inbox folder',
    );
  });
});

describe('what the Registrar operator must do about outages and unmatched files', () => {
  it('is left to the status: the workbook counts neither outages nor unmatched files', async () => {
    const ledger = await withOutage();
    const workbook = await guideOf(ledger, { unmatched: UNMATCHED });
    expect(operatorsTask(workbook)).toBeUndefined();
    const together = textsOf(sheetNamed(workbook, 'What to do')).find(([who]) => who === 'Together');
    expect(together?.[1]).toBe(String((await reconcile(ledger, {})).attention));
  });

  it('says nothing of an environment that can be used again', async () => {
    const ledger = await withOutage();
    await endOutages(ledger, 'main', null);
    const workbook = await guideOf(ledger);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['What to do', 'Correct academy']);
    expect(textsOf(sheetNamed(workbook, 'What to do')).flat().join('\n')).not.toContain("can't be used");
  });

  it('makes no workbook alone: no cell of it would resolve anything', async () => {
    const ledger = testLedger();
    await stageContent(ledger, csvOf([exportRow(1), exportRow(2, { status: 'Waved through' })]));
    await stageContent(ledger, 'no header\nat all\n', { confirmedBy: decider('test') });
    await recordOutages(ledger, 1, 'main', [REFUSED_SECRET], msFromIso('2026-03-03T06:05:00.000Z'));
    const report = await reconcile(ledger, {}, { unmatched: UNMATCHED });
    expect([report.outages.length, report.attentionRows, report.attentionFiles]).toEqual([1, 1, 1]);
    expect(needsCorrectionWorkbook(report)).toBe(false);
    await stageContent(ledger, csvOf([exportRow(3, { status: 'Waved through', email: 'nobody' })]));
    expect(needsCorrectionWorkbook(await reconcile(ledger, {}))).toBe(true);
  });
});

describe('the correction workbook', () => {
  it('is there only where rows are to be corrected or looked up, under the name of its run', async () => {
    const ledger = testLedger();
    await stageContent(ledger, csvOf(exportRows(2)));
    expect(needsCorrectionWorkbook(await reconcile(ledger, {}))).toBe(false);
    expect([correctionWorkbookName({ runId: 12 }), correctionWorkbookName({ source: 'academy' })]).toEqual([
      'run-12.attention.xlsx',
      'all.attention.xlsx',
    ]);
  });

  it('has sheet names that Excel takes, whatever sources are called', async () => {
    const ledger = testLedger();
    const long = 'a-source-with-a-name-that-is-very-long';
    for (const name of [`${long}-1`, `${long}-2`, `${long.toUpperCase()}-3`]) {
      await stageContent(ledger, csvOf([exportRow(1, { email: 'nobody' })]), { source: sourceOf({ name }) });
    }
    const names = (await guideOf(ledger)).worksheets.map(({ name }) => name);
    expect(names).toHaveLength(4);
    expect(names.every((name) => name.length <= 31)).toBe(true);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4);
  });
});

/** Stages good rows as one drop. */
async function staged(ledger: Ledger, rows: number): Promise<{ runId: number }> {
  await stageContent(ledger, csvOf(exportRows(rows)));
  return { runId: 1 };
}

/** A ledger with one row to correct and two that wait for an environment that can't be used. */
async function withOutage(): Promise<Ledger> {
  const ledger = testLedger();
  await stageContent(ledger, csvOf([...exportRows(2), exportRow(3, { email: 'nobody' })]));
  await recordOutages(ledger, 1, 'main', [REFUSED_SECRET], msFromIso('2026-03-03T06:05:00.000Z'));
  return ledger;
}

interface WorkbookOptions {
  readonly config?: Config;
  readonly unmatched?: readonly UnmatchedFile[];
}

async function guideOf(ledger: Ledger, options: WorkbookOptions = {}): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(await workbookFile(ledger, options));
  return workbook;
}

async function workbookFile(
  ledger: Ledger,
  { config = CONFIG, unmatched = [] }: WorkbookOptions = {},
): Promise<string> {
  const path = join(tempFolder(), 'guide.xlsx');
  writeFileSync(path, '');
  await writeCorrectionWorkbook(path, ledger, await reconcile(ledger, {}, { unmatched }), config);
  return path;
}

/** The line of the first sheet for the operator, which leads to no other sheet. */
function operatorsTask(workbook: exceljs.Workbook): string[] | undefined {
  return textsOf(sheetNamed(workbook, 'What to do')).find(([who]) => who === 'Registrar operator');
}

function sheetNamed(workbook: exceljs.Workbook, name: string): exceljs.Worksheet {
  const sheet = workbook.getWorksheet(name);
  if (!sheet) throw new Error(`there is no sheet ${name}`);
  return sheet;
}

function textsOf(sheet: exceljs.Worksheet): string[][] {
  return Array.from({ length: sheet.rowCount }, (_, row) =>
    Array.from({ length: sheet.columnCount }, (_, column) => sheet.getCell(row + 1, column + 1).text),
  );
}

function fillOf(cell: exceljs.Cell): string | undefined {
  return cell.fill?.type === 'pattern' ? cell.fill.fgColor?.argb : undefined;
}

function noteOf(cell: exceljs.Cell): string {
  const { note } = cell;
  return typeof note === 'string' ? note : (note?.texts ?? []).map(({ text }) => text).join('');
}

function notesOf(sheet: exceljs.Worksheet): string[] {
  const notes: string[] = [];
  sheet.eachRow((row) => row.eachCell((cell) => void notes.push(noteOf(cell))));
  return notes.filter((note) => note !== '');
}
