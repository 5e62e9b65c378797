import { spawnSync } from 'node:child_process';
import { appendFileSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchWorkspace, stageIn } from './bench-workspace.js';
import { type Contenders, compare, type Measured, msSince, time } from './measure.js';
import { longestWriteLock } from './write-lock.js';

/**
 * How long staging takes beside what else could be done with the same file, in one run, in turns:
 *   registrar   `run --no-push`, the whole process with all its checks
 *   .import     the sqlite3 shell's importer into a table with a unique index on (email, course, date)
 *   idiomatic   csv-parse objects, luxon, Kysely in batches of 100, each a transaction; and all in one transaction
 *   lines       the floor: read the bytes and count the lines
 * and staging the same bytes again, and the same records in other bytes, beside the first time; and how long another
 * process must wait for the write lock meanwhile. All databases are WAL with synchronous=FULL.
 * `npm run bench -- 10000 100000 1000000` chooses the sizes, and for each but the first says how the time per row has
 * grown since the one before it; `--without idiomatic` leaves one out, `--without again` the second deliveries.
 */
const IDIOMATIC = fileURLToPath(new URL('./idiomatic.js', import.meta.url));
const USUAL_SIZES = [10_000, 100_000, 1_000_000];

const args = process.argv.slice(2);
const without = new Set(args.flatMap((arg, index) => (arg === '--without' ? [args[index + 1] ?? ''] : [])));
const sizes = args.map(Number).filter((size) => size > 0);
if (spawnSync('sqlite3', ['--version']).status !== 0) {
  console.log('The sqlite3 shell is not installed (Debian: sqlite3); .import is left out.');
  without.add('.import');
}
let before: { rows: number; msPerRow: number } | null = null;
for (const rows of sizes.length > 0 ? sizes : USUAL_SIZES) {
  const msPerRow = (await measure(rows)) / rows;
  if (before !== null) {
    const [from, to] = [before.rows, rows].map((size) => size.toLocaleString('en'));
    console.log(`time per row at ${to}: ${(msPerRow / before.msPerRow).toFixed(2)} x that at ${from}`);
  }
  before = { rows, msPerRow };
}

/** @returns the time of staging, in milliseconds. */
async function measure(rows: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
  try {
    const file = join(folder, 'export.csv');
    writeExport(file, rows, '');
    const contenders: Contenders = {
      registrar: () => stageIn(benchWorkspace(folder), file),
      '.import': () => importWithShell(folder, file),
      idiomatic: () => stageIdiomatically(folder, file),
      'idiomatic, one transaction': () => stageIdiomatically(folder, file, 'one'),
      lines: () => countLines(file),
    };
    const chosen = Object.entries(contenders).filter(([name]) => !without.has(name.split(',')[0] ?? name));
    const reference = without.has('.import') ? 'registrar' : '.import';
    const medians = await compare('Staging', rows, reference, Object.fromEntries(chosen));
    if (!without.has('again')) await measureAgain(folder, file, rows);
    return medians.get('registrar') ?? Number.NaN;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same once more: as the same bytes, and as other bytes with the same records. */
async function measureAgain(folder: string, file: string, rows: number): Promise<void> {
  const same = join(folder, 'same.csv');
  const other = join(folder, 'other.csv');
  writeExport(same, rows, '');
  writeExport(other, rows, ' ');
  let workspace = '';
  await compare('Staging again', rows, 'first', {
    first: () => {
      workspace = benchWorkspace(folder);
      return stageIn(workspace, file);
    },
    'same bytes': () => stageIn(workspace, same),
    'all duplicates': () => stageIn(workspace, other),
  });
  workspace = benchWorkspace(folder);
  const ms = await longestWriteLock(join(workspace, 'registrar.db'), () => stageIn(workspace, file));
  console.log(`longest wait for the write lock while staging: ${ms.toFixed(0)} ms`);
}

/** @param padding precedes each line's department: other bytes, the same records. */
function writeExport(file: string, rows: number, padding: string): void {
  writeFileSync(file, 'Email,Course ID,Course Name,Completed on,Score,Status,Department,Manager\n');
  const PIECE_ROWS = 100_000;
  for (let from = 0; from < rows; from += PIECE_ROWS) {
    let lines = '';
    for (let row = from; row < Math.min(rows, from + PIECE_ROWS); row += 1) {
      // Learners in no order, as in a real export sorted by date.
      const learner = (row * 7919) % 1_000_003;
      const day = String(1 + (row % 28)).padStart(2, '0');
      const minute = String(row % 60).padStart(2, '0');
      const second = String(Math.floor(row / 1_000_003)).padStart(2, '0');
      lines += `learner${learner}@northwind.example,C-${row % 211},Course number ${row % 211},2025-0${1 + (row % 9)}-${day} 10:${minute}:${second},${row % 101},Completed,${padding}Department ${row % 17},manager${row % 97}@northwind.example\n`;
    }
    appendFileSync(file, lines);
  }
}

async function importWithShell(folder: string, file: string): Promise<Measured> {
  return time('sqlite3', [
    freshDatabase(folder),
    'pragma journal_mode = wal; pragma synchronous = full; create table t (email, course, name, date, score, status, department, manager); create unique index u on t (email, course, date);',
    `.import --csv --skip 1 ${file} t`,
  ]);
}

async function stageIdiomatically(folder: string, file: string, transactions = ''): Promise<Measured> {
  return time(process.execPath, [IDIOMATIC, file, freshDatabase(folder), transactions]);
}

function freshDatabase(folder: string): string {
  const database = join(folder, 'other.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true });
  return database;
}

async function countLines(file: string): Promise<Measured> {
  const started = process.hrtime.bigint();
  let lines = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  if (lines === 0) throw new Error('no lines');
  return { ms: msSince(started), cpuMs: 0, peakMb: 0 };
}
