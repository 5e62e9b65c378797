import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../src/sandbox/server.js';
import { type Measured, median, time } from './measure.js';

/**
 * The time of short commands, each a process of its own, compared with a Node.js that does nothing: the version, help, status of a
 * small workspace whose rows are all delivered, and a run in it that finds nothing to do. In turns; medians of wall and CPU
 * time.
 * `npm run bench:start -- 31` chooses the rounds. Exits with 1 where one is slower than Registrar promises, which holds for
 * a machine that does nothing else.
 */
const PROGRAM = fileURLToPath(new URL('../program/main.js', import.meta.url));
const ENV = { BENCH_SECRET: 'sandbox-secret' };
const REFERENCE = 'node -e 0';

/** The longest promised median of wall time, in milliseconds; null where none is promised. */
const LIMITS_MS: Readonly<Record<string, number | null>> = {
  [REFERENCE]: null,
  '--version': null,
  '--help': 250,
  status: 300,
  healthcheck: 300,
  run: 400,
};

const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
try {
  const commands = commandsIn(await deliveredWorkspace(folder));
  const measured = new Map<string, Measured[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      measured.get(name)?.push(await time(process.execPath, args, ENV));
    }
  }
  process.exitCode = print(measured) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function commandsIn(workspace: string): Readonly<Record<string, readonly string[]>> {
  const inIt = ['--workspace', workspace];
  return {
    [REFERENCE]: ['-e', '0'],
    '--version': [PROGRAM, '--version'],
    '--help': [PROGRAM, '--help'],
    status: [PROGRAM, 'status', ...inIt],
    healthcheck: [PROGRAM, 'healthcheck', ...inIt],
    run: [PROGRAM, 'run', ...inIt],
  };
}

/** A workspace of one source, with a file of twenty rows that a platform has accepted. */
async function deliveredWorkspace(parent: string): Promise<string> {
  const quota = { requests: 6_000, perMs: 60_000 };
  const sandbox = await startSandbox({ quota });
  try {
    const workspace = join(parent, 'workspace');
    mkdirSync(join(workspace, 'inbox', 'bench'), { recursive: true });
    writeFileSync(
      join(workspace, 'registrar.yaml'),
      `environments:
  main:
    { baseUrl: "${sandbox.url}", authUrl: "${sandbox.url}", clientId: sandbox-client, clientSecret: "\${BENCH_SECRET}", quota: { requests: ${quota.requests}, per: ${quota.perMs}ms } }
sources:
  - { name: bench, operation: submit-completion, environment: main, stableFor: 0s, timeZone: Europe/Berlin }
`,
    );
    const rows = Array.from(
      { length: 20 },
      (_, row) => `learner${row}@example.com,C-1,2024-03-01 10:00:00,85,Completed`,
    );
    const text = ['Email,Course ID,Completed on,Score,Status', ...rows, ''].join('\n');
    writeFileSync(join(workspace, 'inbox', 'bench', 'export.csv'), text);
    await time(process.execPath, [PROGRAM, 'run', '--workspace', workspace], ENV);
    return workspace;
  } finally {
    await sandbox.close();
  }
}

/** @returns false where a command is slower than promised. */
function print(measured: ReadonlyMap<string, readonly Measured[]>): boolean {
  const least = median((measured.get(REFERENCE) ?? []).map(({ ms }) => ms));
  console.log(`medians of ${rounds} rounds in turns`);
  let isKept = true;
  for (const [name, all] of measured) {
    const ms = median(all.map((one) => one.ms));
    const cpuMs = median(all.map((one) => one.cpuMs));
    const limitMs = LIMITS_MS[name] ?? null;
    isKept &&= limitMs === null || ms <= limitMs;
    const figures = [
      name.padEnd(REFERENCE.length),
      `${ms.toFixed(0).padStart(5)} ms`,
      `${(ms / least).toFixed(2).padStart(6)} x ${REFERENCE}`,
      `${cpuMs.toFixed(0).padStart(5)} ms of CPU`,
    ];
    console.log([...figures, ...(limitMs === null ? [] : [`at most ${limitMs} ms`])].join('  '));
  }
  return isKept;
}
