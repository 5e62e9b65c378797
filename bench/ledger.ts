import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPORT_FORMATS } from '../src/report/report-formats.js';
import { answerLedger } from './answer-ledger.js';
import { benchWorkspace, stageIn } from './bench-workspace.js';
import { type Measured, msSince, ROUNDS, time } from './measure.js';

/**
 * How long people wait for an answer about a large ledger, each question a process of its own, and what memory it takes.
 * The ledger is staged by `registrar run` from ten files of which one row in a hundred is invalid, then given a history.
 * `npm run bench:ledger -- 1000000` chooses the rows; `--keep FOLDER` builds the workspace there and leaves it, or uses
 * the one that is there.
 */
const MAIN = fileURLToPath(new URL('../program/main.js', import.meta.url));
const FILES = 10;

const args = process.argv.slice(2);
const kept = args.includes('--keep') ? args[args.indexOf('--keep') + 1] : undefined;
const rows = args.map(Number).find((size) => size > 0) ?? 1_000_000;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'registrar-bench-'));
try {
  const workspace = join(folder, 'workspace');
  const ledger = join(workspace, 'registrar.db');
  if (!isThere(ledger)) await build(folder, ledger);
  const mb = (statSync(ledger).size / 1e6).toFixed(0);
  console.log(
    `\nQuestions to a ledger of ${rows.toLocaleString('en')} rows (${mb} MB), medians of ${ROUNDS}`,
  );
  for (const [name, command] of questions()) await ask(name, command, workspace);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

function questions(): [string, readonly string[]][] {
  const formats: readonly string[] = REPORT_FORMATS;
  const out = ['--out', join(folder, 'report')];
  // A learner and a row in the middle of the ledger, whatever its size.
  const somebody = learner(Math.floor(rows / 213));
  const line = Math.floor(rows / FILES / 21);
  const asked: [string, readonly string[]][] = [
    ['status', ['status']],
    ['trace of a learner', ['trace', somebody]],
    ['trace of file:line', ['trace', `export-7.csv:${line}`]],
    ['rerun --dry-run, one cause', ['rerun', '--reason', 'not-found', '--dry-run']],
    ['rerun --dry-run, all', ['rerun', '--all', '--dry-run']],
    ['rerun --dry-run, one learner', ['rerun', '--learner', somebody, '--dry-run']],
    ['report --format json', ['report', '--format', 'json', ...out]],
    ['report --format html', ['report', '--format', 'html', ...out]],
  ];
  return asked.filter(([name]) => name !== 'report --format html' || formats.includes('html'));
}

async function ask(name: string, command: readonly string[], workspace: string): Promise<void> {
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(
      await time(process.execPath, [MAIN, ...command, '--workspace', workspace], { BENCH_SECRET: 'bench' }),
    );
  }
  const [, median] = rounds.toSorted((a, b) => a.ms - b.ms);
  const cpuMs = rounds.map((round) => round.cpuMs).toSorted((a, b) => a - b)[1] ?? 0;
  const peakMb = Math.max(...rounds.map((round) => round.peakMb));
  console.log(
    `${name.padEnd(30)} ${(median?.ms ?? 0).toFixed(0).padStart(7)} ms  ${cpuMs.toFixed(0).padStart(6)} ms of CPU  ${peakMb.toFixed(0).padStart(5)} MB`,
  );
}

async function build(folder: string, ledger: string): Promise<void> {
  const started = process.hrtime.bigint();
  const workspace = benchWorkspace(folder);
  for (let file = 0; file < FILES; file += 1) {
    const path = join(folder, `export-${file}.csv`);
    writeExport(path, file * (rows / FILES), (file + 1) * (rows / FILES));
    await stageIn(workspace, path, [1]);
    rmSync(path);
  }
  console.log(`staged in ${(msSince(started) / 1000).toFixed(0)} s`);
  answerLedger(ledger);
  console.log(`with its history after ${(msSince(started) / 1000).toFixed(0)} s`);
}

/** A learner has ten rows or so; one row in a hundred has a time that nobody can read. */
function writeExport(path: string, from: number, to: number): void {
  writeFileSync(path, 'Email,Course ID,Course Name,Completed on,Score,Status,Department\n');
  const PIECE_ROWS = 50_000;
  for (let start = from; start < to; start += PIECE_ROWS) {
    let lines = '';
    for (let row = start; row < Math.min(to, start + PIECE_ROWS); row += 1) {
      const day = String(1 + (row % 28)).padStart(2, '0');
      const at =
        row % 100 === 37
          ? 'soon'
          : `2025-0${1 + (row % 9)}-${day} 10:${String(row % 60).padStart(2, '0')}:00`;
      lines += `${learner((row * 7919) % (rows / 10))},C-${row % 1_999},Course number ${row % 1_999},${at},${row % 101},Completed,Department ${row % 17}\n`;
    }
    appendFileSync(path, lines);
  }
}

function learner(n: number): string {
  return `learner${n}@northwind.example`;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
