import { spawn, spawnSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * How long staging takes beside what else could be done with the same file, in one run, in turns:
 *   registrar  `run --no-push`, the whole process with all its checks
 *   .import    the sqlite3 shell's importer into a table with a unique index on (email, course, date)
 *   lines      the floor: read the bytes and count the lines
 * Prints medians, ratios, rows per second and peak memory. `npm run bench -- 10000 100000 1000000` chooses the sizes.
 */
const ROUNDS = 3;
const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url));

interface Measured {
  readonly ms: number;
  readonly peakMb: number;
}

const sizes = process.argv.slice(2).map(Number);
const hasShell = spawnSync('sqlite3', ['--version']).status === 0;
if (!hasShell) console.log('The sqlite3 shell is not installed (Debian: sqlite3); .import is left out.');
for (const rows of sizes.length > 0 ? sizes : [10_000, 100_000]) await compare(rows);

async function compare(rows: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
  try {
    const file = join(folder, 'export.csv');
    writeExport(file, rows);
    const contenders: [string, () => Promise<Measured>][] = [
      ['registrar', () => stageWithRegistrar(folder, file)],
      ...(hasShell
        ? [['.import', () => importWithShell(folder, file)] as [string, () => Promise<Measured>]]
        : []),
      ['lines', () => countLines(file)],
    ];
    const results = new Map<string, Measured[]>(contenders.map(([name]) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, measure] of contenders) results.get(name)?.push(await measure());
    }
    console.log(`\n${rows.toLocaleString('en')} rows, medians of ${ROUNDS} rounds in turns`);
    const reference = median((results.get(hasShell ? '.import' : 'lines') ?? []).map(({ ms }) => ms));
    for (const [name, measured] of results) {
      const ms = median(measured.map((one) => one.ms));
      const peakMb = Math.max(...measured.map((one) => one.peakMb));
      console.log(
        `${name.padEnd(10)} ${ms.toFixed(0).padStart(7)} ms  ${(ms / reference).toFixed(2).padStart(6)} x ${hasShell ? '.import' : 'lines'}  ${Math.round(
          (rows * 1000) / ms,
        )
          .toLocaleString('en')
          .padStart(10)} rows/s  ${peakMb > 0 ? `${peakMb.toFixed(0)} MB` : ''}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeExport(file: string, rows: number): void {
  const lines = ['Email,Course ID,Course Name,Completed on,Score,Status,Department,Manager'];
  for (let row = 0; row < rows; row += 1) {
    // Learners in no order, as in a real export sorted by date.
    const learner = (row * 7919) % 1_000_003;
    const day = String(1 + (row % 28)).padStart(2, '0');
    const minute = String(row % 60).padStart(2, '0');
    lines.push(
      `learner${learner}@northwind.example,C-${row % 211},Course number ${row % 211},2025-0${1 + (row % 9)}-${day} 10:${minute}:00,${row % 101},Completed,Department ${row % 17},manager${row % 97}@northwind.example`,
    );
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
}

async function stageWithRegistrar(folder: string, file: string): Promise<Measured> {
  const workspace = join(folder, 'workspace');
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(join(workspace, 'inbox', 'bench'), { recursive: true });
  writeFileSync(join(workspace, 'inbox', 'bench', 'export.csv'), readFileSync(file));
  writeFileSync(
    join(workspace, 'registrar.yaml'),
    `environments:
  main: { baseUrl: "http://127.0.0.1:9", authUrl: "http://127.0.0.1:9", clientId: bench, clientSecret: "\${BENCH_SECRET}" }
sources:
  - { name: bench, operation: submit-completion, environment: main, stableFor: 0s, timeZone: Europe/Berlin }
`,
  );
  return time(process.execPath, [MAIN, 'run', '--no-push', '--quiet', '--workspace', workspace]);
}

async function importWithShell(folder: string, file: string): Promise<Measured> {
  const database = join(folder, 'import.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true });
  return time('sqlite3', [
    database,
    'pragma journal_mode = wal; pragma synchronous = full; create table t (email, course, name, date, score, status, department, manager); create unique index u on t (email, course, date);',
    `.import --csv --skip 1 ${file} t`,
  ]);
}

async function countLines(file: string): Promise<Measured> {
  const started = process.hrtime.bigint();
  let lines = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  if (lines === 0) throw new Error('no lines');
  return { ms: msSince(started), peakMb: 0 };
}

/** Runs a process to its end; its peak memory is looked at every 10 ms where the system tells it. */
function time(command: string, args: readonly string[]): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    let peakMb = 0;
    const child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, BENCH_SECRET: 'bench' },
    });
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, residentPeakMb(child.pid));
    }, 10);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(watch);
      if (code === 0) resolve({ ms: msSince(started), peakMb });
      else reject(new Error(`${command} ended with ${code}`));
    });
  });
}

function residentPeakMb(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function msSince(started: bigint): number {
  return Number(process.hrtime.bigint() - started) / 1e6;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
