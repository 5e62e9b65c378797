import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchWorkspace, MAIN, stageInbox } from './bench-workspace.js';
import { computedMs, type Measured, msSince } from './measure.js';

/**
 * The cost of a file apart from its rows: `run --no-push` over inboxes of files with one row each, including the start of
 * the process and the report; and by a service that finds them when it starts. The cost of a file must not grow with their number.
 * `npm run bench:files -- 1000 4000 16000` chooses the numbers.
 */
const args = process.argv.slice(2).map(Number);
let before: { files: number; cpuMs: number } | null = null;
for (const files of args.length > 0 ? args : [1_000, 4_000]) {
  const { ms, cpuMs } = await measure(files, stageInbox);
  console.log(`${files.toLocaleString('en').padStart(7)} files in a run: ${each(files, ms, cpuMs)}`);
  const service = await measure(files, stageByService);
  console.log(`${' '.repeat(7)} in a service:   ${each(files, service.ms, service.cpuMs)}`);
  if (before !== null) {
    const growth = cpuMs / files / (before.cpuMs / before.files);
    console.log(
      `CPU per file in a run: ${growth.toFixed(2)} x that of ${before.files.toLocaleString('en')} files`,
    );
  }
  before = { files, cpuMs };
}

function each(files: number, ms: number, cpuMs: number): string {
  return `${(ms / files).toFixed(2)} ms and ${(cpuMs / files).toFixed(2)} ms of CPU each`;
}

type Cost = Pick<Measured, 'ms' | 'cpuMs'>;

async function measure(files: number, stage: (workspace: string) => Promise<Cost>): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
  try {
    const workspace = benchWorkspace(folder);
    for (let file = 0; file < files; file += 1) {
      const row = `learner${file}@example.com,C-1,2024-03-01 10:00:00,85,Completed`;
      const text = `Email,Course ID,Completed on,Score,Status\n${row}\n`;
      writeFileSync(join(workspace, 'inbox', 'bench', `${file}.csv`), text);
    }
    return await stage(workspace);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a service until the workspace's inbox is empty. */
async function stageByService(workspace: string): Promise<Cost> {
  const started = process.hrtime.bigint();
  const args = [MAIN, 'schedule', '--quiet', '--workspace', workspace];
  const env = { ...process.env, BENCH_SECRET: 'bench' };
  const service = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const waiting = () => readdirSync(join(workspace, 'inbox', 'bench')).length;
  while (waiting() > 0) {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const cost = { ms: msSince(started), cpuMs: computedMs(service.pid) };
  service.kill();
  await new Promise((resolve) => service.on('exit', resolve));
  return cost;
}
