import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPORT_FORMATS } from '../src/report/report-formats.js';
import { FILES, largeWorkspace, learner } from './large-ledger.js';
import { type Measured, ROUNDS, time } from './measure.js';

/**
 * How long people wait for an answer about a large ledger, each query in a process of its own, and how much memory it takes.
 * The ledger is staged by `registrar run` from ten files of which one row in a hundred is invalid, then given a history.
 * `npm run bench:ledger -- 1000000` chooses the rows; `--keep FOLDER` builds the workspace there and leaves it, or uses
 * the one that is there.
 */
const MAIN = fileURLToPath(new URL('../program/main.js', import.meta.url));

const args = process.argv.slice(2);
const kept = args.includes('--keep') ? args[args.indexOf('--keep') + 1] : undefined;
const rows = args.map(Number).find((size) => size > 0) ?? 1_000_000;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'registrar-bench-'));
try {
  const workspace = await largeWorkspace(folder, rows);
  const mb = (statSync(join(workspace, 'registrar.db')).size / 1e6).toFixed(0);
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
  const learnerId = learner(Math.floor(rows / 213));
  const line = Math.floor(rows / FILES / 21);
  const commands: [string, readonly string[]][] = [
    ['status', ['status']],
    ['trace of a learner', ['trace', learnerId]],
    ['trace of file:line', ['trace', `export-7.csv:${line}`]],
    ['rerun --dry-run, one cause', ['rerun', '--reason', 'not-found', '--dry-run']],
    ['rerun --dry-run, all', ['rerun', '--all', '--dry-run']],
    ['rerun --dry-run, one learner', ['rerun', '--learner', learnerId, '--dry-run']],
    ['report --format json', ['report', '--format', 'json', ...out]],
    ['report --format html', ['report', '--format', 'html', ...out]],
  ];
  return commands.filter(([name]) => name !== 'report --format html' || formats.includes('html'));
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
