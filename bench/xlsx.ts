import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import exceljs from 'exceljs';
import { openDrop } from '../src/intake/open-drop.js';
import { openArchive } from '../src/intake/zip-entries.js';
import { benchWorkspace, stageIn } from './bench-workspace.js';
import { compare, type Measured, msSince, residentPeakMb } from './measure.js';

/**
 * How long reading a workbook takes beside exceljs' streaming reader, each in a process of its own, in turns, from when
 * all code is loaded; none of it has run by then, which is much of the time where rows are few:
 *   registrar  our reader, every cell of every row, until the last, with the file's hash and the checksums of its parts
 *   exceljs    `stream.xlsx.WorkbookReader` with shared strings and styles, `row.values` of every row
 *   inflate    the floor: the sheet's XML unpacked and nothing done with it
 * and, as a whole process with all its checks, `run --no-push` of the same workbook. Ten columns: texts shared by all
 * rows, texts of their own, dates, numbers. `npm run bench:xlsx -- 10000 100000 500000` chooses the sizes.
 */
const SELF = fileURLToPath(import.meta.url);

const COLUMNS = [
  'Email',
  'Name',
  'Course ID',
  'Course Name',
  'Completed on',
  'Score',
  'Status',
  'Department',
  'Minutes',
  'Enrolled on',
] as const;

/** The cells that a reader read, so that no reader is faster by reading less. */
interface Seen {
  readonly rows: number;
  readonly values: number;
}

type Reader = (file: string) => Promise<Seen>;

const READERS: Readonly<Record<string, Reader>> = {
  registrar: readWithRegistrar,
  exceljs: readWithExceljs,
  inflate: inflateSheet,
};

const [first, name = '', file = ''] = process.argv.slice(2);
if (first === 'read') await readOnce(name, file);
else await compareAll(process.argv.slice(2).map(Number));

async function compareAll(sizes: readonly number[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
  try {
    for (const rows of sizes.length > 0 ? sizes : [100_000]) {
      const workbook = join(folder, `export-${rows}.xlsx`);
      await writeExport(workbook, rows);
      await compare('Reading', rows, 'registrar', {
        registrar: () => readInProcess('registrar', workbook, rows),
        exceljs: () => readInProcess('exceljs', workbook, rows),
        inflate: () => readInProcess('inflate', workbook, rows),
      });
      await compare('Staging', rows, 'registrar', {
        registrar: () => stageIn(benchWorkspace(folder), workbook),
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Measures a reader in a process of its own, so that readers share neither code nor memory. */
async function readInProcess(reader: string, workbook: string, rows: number): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [SELF, 'read', reader, workbook]);
  const { seen, ...measured } = JSON.parse(stdout) as Measured & { seen: Seen };
  const values = reader === 'inflate' ? 0 : COLUMNS.length * (rows + 1);
  if (seen.values !== values) throw new Error(`${reader} read ${seen.values} values instead of ${values}`);
  return measured;
}

async function readOnce(reader: string, workbook: string): Promise<void> {
  const started = process.hrtime.bigint();
  const seen = await READERS[reader]?.(workbook);
  const ms = msSince(started);
  const { user, system } = process.cpuUsage();
  console.log(
    JSON.stringify({ ms, cpuMs: (user + system) / 1000, peakMb: residentPeakMb(process.pid), seen }),
  );
}

async function readWithRegistrar(workbook: string): Promise<Seen> {
  const drop = await openDrop(workbook, {});
  let rows = 0;
  let values = 0;
  for await (const batch of drop.rows()) {
    for (const row of batch) {
      rows += 1;
      for (const cell of row.cells) if (cell !== null) values += 1;
    }
  }
  return { rows, values };
}

async function readWithExceljs(workbook: string): Promise<Seen> {
  const reader = new exceljs.stream.xlsx.WorkbookReader(workbook, {
    worksheets: 'emit',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
    entries: 'ignore',
  });
  let rows = 0;
  let values = 0;
  for await (const sheet of reader) {
    for await (const row of sheet) {
      rows += 1;
      for (const value of row.values as unknown[]) if (value !== undefined && value !== null) values += 1;
    }
  }
  return { rows, values };
}

async function inflateSheet(workbook: string): Promise<Seen> {
  const archive = await openArchive(workbook);
  for await (const _ of archive.read('xl/worksheets/sheet1.xml'));
  archive.close();
  return { rows: 0, values: 0 };
}

async function writeExport(workbook: string, rows: number): Promise<void> {
  const writer = new exceljs.stream.xlsx.WorkbookWriter({
    filename: workbook,
    useSharedStrings: true,
    useStyles: true,
  });
  const sheet = writer.addWorksheet('Export');
  sheet.columns = COLUMNS.map((header) => ({
    header,
    style: / on$/.test(header) ? { numFmt: 'yyyy-mm-dd hh:mm:ss' } : {},
  }));
  for (let row = 0; row < rows; row += 1) {
    // Learners in no order, as in a real export sorted by date; each has about two and a half rows.
    const learner = (row * 7919) % Math.max(1, Math.round(rows / 2.5));
    sheet
      .addRow([
        `learner${learner}@northwind.example`,
        `Learner Number ${learner}`,
        `C-${row % 211}`,
        `Course number ${row % 211}`,
        new Date(Date.UTC(2025, row % 9, 1 + (row % 28), 10, row % 60)),
        row % 101,
        'Completed',
        `Department ${row % 17}`,
        (row % 480) + 0.25,
        new Date(Date.UTC(2025, row % 9, 1)),
      ])
      .commit();
  }
  await writer.commit();
}
