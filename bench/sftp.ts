import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closeWorkspace, openWorkspace, readWorkspace } from '../src/actions/context.js';
import { fetchOrSettle } from '../src/actions/inboxes/fetch-remote.js';
import { thisProcess } from '../src/ledger/leases/owner.js';
import { type SftpServer, sftpServer } from '../test/support/sftp-server.js';
import { benchWorkspace } from './bench-workspace.js';
import { type Measured, median, ROUNDS, time } from './measure.js';

/**
 * The fetch of one file from an OpenSSH server on loopback: Registrar's, with its ledger, SHA-256 and syncs, beside OpenSSH's own
 * `sftp`, in turns, each a process of its own. `npm run bench:sftp -- 1000` chooses the megabytes.
 */
const [first = '1000', workspaceToFill] = process.argv.slice(2);
if (first === '--fetch') await fetchInto(workspaceToFill ?? '');
else await compareFetches(Number(first));

async function compareFetches(megabytes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-bench-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    const home = join(folder, 'server');
    mkdirSync(home);
    const server = await sftpServer({ home, atEnd: (stop) => void stops.push(stop) });
    const sample = randomBytes(1_000_000);
    for (let written = 0; written < megabytes; written += 1)
      appendFileSync(join(server.folder, 'large.csv'), sample);
    const contenders = { sftp: () => bySftp(server, folder), Registrar: () => byRegistrar(server, folder) };
    const rounds: Record<keyof typeof contenders, Measured[]> = { sftp: [], Registrar: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of ['sftp', 'Registrar'] as const) rounds[name].push(await contenders[name]());
    }
    console.log(`\n${megabytes} MB over SFTP on loopback, medians of ${ROUNDS} rounds in turns`);
    const referenceMs = median(rounds.sftp.map(({ ms }) => ms));
    for (const [name, measured] of Object.entries(rounds)) {
      const ms = median(measured.map((one) => one.ms));
      const cpuMs = median(measured.map((one) => one.cpuMs));
      const peakMb = Math.max(...measured.map((one) => one.peakMb));
      console.log(
        `${name.padEnd(9)} ${ms.toFixed(0).padStart(7)} ms  ${(ms / referenceMs).toFixed(2)} x sftp  ${((megabytes * 1000) / ms).toFixed(0)} MB/s  ${cpuMs.toFixed(0)} ms of CPU  ${peakMb.toFixed(0)} MB of memory`,
      );
    }
  } finally {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bySftp({ port, folder, settings }: SftpServer, work: string): Promise<Measured> {
  const copy = join(work, 'copy.csv');
  const batch = join(work, 'batch');
  writeFileSync(batch, `get ${folder}/large.csv ${copy}\n`);
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
  const account = ['-P', String(port), '-i', String(settings.keyFile), ...options.map((one) => `-o${one}`)];
  const measured = await time('sftp', ['-q', '-b', batch, ...account, `${settings.user}@127.0.0.1`]);
  requireWhole(copy, join(folder, 'large.csv'));
  rmSync(copy);
  return measured;
}

async function byRegistrar({ folder, settings }: SftpServer, work: string): Promise<Measured> {
  const workspace = benchWorkspace(work, { inbox: { sftp: settings }, largestFile: '1000GB' });
  const program = fileURLToPath(import.meta.url);
  const measured = await time(process.execPath, [program, '--fetch', workspace]);
  requireWhole(join(workspace, 'inbox', 'bench', 'large.csv'), join(folder, 'large.csv'));
  rmSync(workspace, { recursive: true });
  return measured;
}

function requireWhole(copy: string, original: string): void {
  if (statSync(copy).size !== statSync(original).size) throw new Error(`${copy} is not whole`);
}

/** The time that a run takes before it lists its inboxes. */
async function fetchInto(workspace: string): Promise<void> {
  const context = await openWorkspace(readWorkspace(workspace, { env: process.env, cwd: '/' }, 'unused'));
  try {
    const { signal: stop } = new AbortController();
    const owner = thisProcess();
    const { troubles } = await fetchOrSettle('fetch', context.config.sources, {
      ...context,
      owner,
      runId: null,
      stop,
    });
    if (troubles[0] !== undefined) throw troubles[0];
  } finally {
    await closeWorkspace(context);
  }
}
