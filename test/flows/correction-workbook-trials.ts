import { join } from 'node:path';
import exceljs from 'exceljs';
import { expect } from 'vitest';
import { RIGHT_ADDRESS } from '../../src/domain/files/correction-workbook.js';
import { parseFaults } from '../../src/sandbox/faults.js';
import { csvOf, type ExportRow, exportRow, workbookOf } from '../support/exports.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

/** A wrong n-th value of a row, and its replacement. */
const MISTAKES: readonly Partial<ExportRow>[] = [
  { email: 'anna.berg@@northwind.example' },
  { email: '' },
  { at: '31/11/2025 09:00' },
  { at: '' },
  { score: 185 },
  { course: '1.23457E+12' },
];

/** Learners with an unknown address in the exports, and their known address. */
const MOVED = Array.from({ length: 5 }, (_, n) => ({
  old: `moved${n}@old.example`,
  now: `moved${n}@new.example`,
}));

const SOURCES = [
  { source: 'academy', file: 'academy.csv', first: 0, rows: 200 },
  { source: 'campus', file: 'campus.csv', first: 2_000, rows: 100 },
  { source: 'workshops', file: 'workshops.xlsx', first: 3_000, rows: 100 },
] as const;

/** The right row, with its line. */
function rightRow(first: number, line: number): ExportRow {
  const n = first + line - 2;
  const moved = n % 31 === 0 ? MOVED[(n / 31) % MOVED.length] : undefined;
  return exportRow(n, moved === undefined ? {} : { email: moved.old });
}

/** The exported row: one in seventeen has a mistake. */
function exportedRow(first: number, line: number): ExportRow {
  const right = rightRow(first, line);
  return line % 17 === 0 ? { ...right, ...MISTAKES[(line / 17) % MISTAKES.length] } : right;
}

/** Saves a workbook as a program does in which it was corrected. */
type Save = (workbook: exceljs.Buffer) => Buffer;

/** One correction of all that the workbook lists gets every correctable row imported. */
export async function allAreCorrected(saved: Save): Promise<void> {
  const workspace = await testWorkspace({
    sandbox: {
      quota: { requests: 3_000, perMs: 1_000 },
      learners: { unknown: MOVED.map(({ old }) => old) },
      faults: parseFaults('server-error=0.06,throttle=0.001,drop-after=0.005,refusal=0.004'),
    },
    sources: { academy: {}, campus: { delimiter: ';' }, workshops: {} },
    environments: { main: { retry: { tries: 8, first: '10ms', longest: '50ms' }, inFlight: 8 } },
    skipReceivedCheck: 'answers were lost',
  });
  for (const { source, file, first, rows } of SOURCES) {
    const all = Array.from({ length: rows }, (_, index) => exportedRow(first, index + 2));
    const content = file.endsWith('.xlsx')
      ? workbookOf(all)
      : csvOf(all, undefined, source === 'campus' ? ';' : ',');
    workspace.drop(file, content, source);
  }
  const { report } = await workspace.run();
  expect(report).toMatchObject({ balanced: true, rows: 403, unknownLearners: { learners: 5 } });
  const invalid = report.dispositions.invalid ?? 0;
  expect(invalid).toBeGreaterThan(20);

  const workbook = await readWorkbook(join(report.reportFolder ?? '', `run-${report.run}.attention.xlsx`));
  correct(workspace, workbook);
  giveAddresses(workbook);
  workspace.drop('mended.xlsx', saved(await workbook.xlsx.writeBuffer()), 'campus');
  const second = (await workspace.run()).report;

  expect(second.balanced).toBe(true);
  expect(second.corrections).toMatchObject([{ rows: { made: invalid, invalid: 0, left: 0 }, issues: 0 }]);
  // The sandbox lets some of these requests fail, too. 2: nothing is left to be sent again.
  let rerun = await workspace.cli('rerun', '--state', 'failed,in-doubt,rejected', '--json');
  for (let again = 0; again < 5 && rerun.code === 1; again += 1)
    rerun = await workspace.cli('rerun', '--state', 'failed,in-doubt,rejected', '--json');
  expect([0, 2]).toContain(rerun.code);
  const books = await workspace.books();
  expect(books).toMatchObject({ balanced: true, attention: 0, unknownLearners: { learners: 0, rows: 0 } });
  expect(mappings(workspace)).toEqual(MOVED.map(({ old, now }) => `${old} ${now}`));
  expect(books.states).toMatchObject({ accepted: 400, waiting: 0, held: 0, rejected: 0 });
  expect(received(workspace)).toEqual(expectedCompletions());
}

/** A workbook of refused rows, of which three are corrected, sends exactly these three. */
export async function threeAreCorrected(saved: Save): Promise<void> {
  const refused = 120;
  const workspace = await testWorkspace({
    sandbox: {
      quota: { requests: 3_000, perMs: 1_000 },
      faults: parseFaults(`refusal@1x${refused}`),
    },
    environments: { main: { canary: { rows: 0 } } },
    skipReceivedCheck: 'refused for no reason',
  });
  workspace.drop('march.csv', csvOf(Array.from({ length: refused }, (_, n) => exportRow(n))));
  const { report } = await workspace.run();
  expect(report.states).toMatchObject({ rejected: refused });

  const workbook = await readWorkbook(join(report.reportFolder ?? '', `run-${report.run}.attention.xlsx`));
  const sheet = workbook.getWorksheet('Correct academy');
  if (!sheet) throw new Error('the workbook has no sheet of rows to correct');
  expect(sheet.rowCount).toBe(refused + 1);
  const score = (sheet.getRow(1).values as exceljs.CellValue[]).map(textOf).indexOf('Score');
  for (const number of [2, 100, refused + 1]) sheet.getRow(number).getCell(score).value = '99';
  const path = workspace.drop('back.xlsx', saved(await workbook.xlsx.writeBuffer()));
  expect((await workspace.cli('check', path, '--source', 'academy')).stdout).toContain(
    '3 rows are corrected. 117 rows stay as is; to send a refused row again unchanged, rerun it. 3 requests in all.',
  );

  const posts = workspace.posts();
  const second = (await workspace.run()).report;
  expect(second.corrections).toMatchObject([
    { rows: { made: 3, repeated: 0, invalid: 0, left: 0 }, issues: 0 },
  ]);
  expect(workspace.posts()).toBe(posts + 3);
  expect(workspace.states()).toEqual({ rejected: refused - 3, replaced: 3, accepted: 3 });
  const completions = workspace.sandbox.platform.completions();
  expect(completions.map(({ attributes }) => attributes.percentile)).toEqual([99, 99, 99]);
  expect(await workspace.books()).toMatchObject({ balanced: true, attention: refused - 3 });
}

async function readWorkbook(path: string): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(path);
  return workbook;
}

/** Writes the right values into the red cells, and changes nothing else. */
function correct(workspace: TestWorkspace, workbook: exceljs.Workbook): void {
  const files = workspace.query<{ drop: number; source: string }>(
    'select drop_id as "drop", source from drop_file',
  );
  for (const sheet of workbook.worksheets.filter(({ name }) => name.startsWith('Correct '))) {
    const [, ...header] = sheet.getRow(1).values as exceljs.CellValue[];
    const titles = header.map(textOf);
    sheet.eachRow((row, number) => {
      if (number === 1) return;
      const value = (title: string) => textOf(row.getCell(titles.indexOf(title) + 1).value);
      const source = files.find(({ drop }) => drop === Number.parseInt(value('_drop'), 10))?.source;
      const { first } = SOURCES.find((one) => one.source === source) ?? SOURCES[0];
      const right = rightRow(first, Number(value('_row')));
      titles.forEach((title, index) => {
        const field = FIELDS[title];
        const cell = row.getCell(index + 1);
        if (field !== undefined && isRed(cell)) cell.value = String(right[field]);
      });
    });
  }
}

const FIELDS: Readonly<Record<string, keyof ExportRow>> = {
  Email: 'email',
  'Course ID': 'course',
  'Completed on': 'at',
  Score: 'score',
  Status: 'status',
};

/** A red fill: much red, and as little green as blue. */
function isRed({ fill }: exceljs.Cell): boolean {
  const argb = fill?.type === 'pattern' ? (fill.fgColor?.argb ?? '') : '';
  const [, red = 0, green = 0, blue = 0] = (argb.match(/../g) ?? []).map((digits) =>
    Number.parseInt(digits, 16),
  );
  return red > 200 && red - green > 20 && Math.abs(green - blue) < 20;
}

function giveAddresses(workbook: exceljs.Workbook): void {
  const sheet = workbook.getWorksheet('Learners');
  if (!sheet) throw new Error('the workbook has no sheet of learners');
  const [, ...header] = sheet.getRow(1).values as exceljs.CellValue[];
  const column = header.map(textOf).indexOf(RIGHT_ADDRESS) + 1;
  expect(sheet.rowCount).toBe(MOVED.length + 1);
  for (let number = 2; number <= sheet.rowCount; number += 1) {
    const old = textOf(sheet.getRow(number).getCell(1).value);
    sheet.getRow(number).getCell(column).value = MOVED.find((moved) => moved.old === old)?.now ?? '';
  }
}

function textOf(value: exceljs.CellValue): string {
  if (value !== null && typeof value === 'object' && 'richText' in value) {
    return value.richText.map(({ text }) => text).join('');
  }
  return String(value ?? '');
}

function mappings(workspace: TestWorkspace): string[] {
  const decided = workspace.query<{ because: string }>(`select because from decision where kind = 'map'`);
  expect(decided).toEqual(MOVED.map(() => ({ because: 'mended.xlsx' })));
  return workspace
    .query<{ text: string }>(
      `select o.identifier || ' ' || n.identifier as text from correction
        join learner o on o.learner_id = old_learner_id join learner n on n.learner_id = new_learner_id order by 1`,
    )
    .map(({ text }) => text);
}

/** What the platform has, each completion once. */
function received(workspace: TestWorkspace): string[] {
  const completions = workspace.sandbox.platform.completions();
  return [
    ...new Set(completions.map(({ attributes }) => `${attributes['user-id']} ${attributes['content-id']}`)),
  ].sort();
}

function expectedCompletions(): string[] {
  const all = SOURCES.flatMap(({ first, rows }) =>
    Array.from({ length: rows }, (_, index) => rightRow(first, index + 2)),
  );
  const nowOf = (email: string) => MOVED.find(({ old }) => old === email)?.now ?? email;
  return [...new Set(all.map(({ email, course }) => `${nowOf(email)} ${course}`))].sort();
}
