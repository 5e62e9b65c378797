import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** What people open, the costly pages too. */
export const PAGES = [
  '/',
  '/attention',
  '/attention/rows?states=rejected',
  '/files',
  '/runs',
  '/audit',
  '/learners',
  '/report',
  '/runs/1',
  '/files/1',
  '/learners/person?learner=learner5%40northwind.example',
];

/** One reading of a page. */
export interface Read {
  readonly path: string;
  readonly status: number;
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

/** A service that serves the console, as a process of its own. */
export interface ServedConsole {
  readonly url: string;
  readonly pid: number;
  /** Resolves when it has ended. */
  close(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../program/main.js', import.meta.url));

/** Starts the service for a workspace whose settings take the sandbox's secret from BENCH_SECRET. */
export async function servedConsole(workspace: string): Promise<ServedConsole> {
  const service = spawn(
    process.execPath,
    [MAIN, 'schedule', '--listen', '127.0.0.1:0', '--workspace', workspace],
    { env: { ...process.env, BENCH_SECRET: 'sandbox-secret' }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise((resolve) => service.on('close', resolve));
  let output = '';
  service.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-100_000);
  });
  const close = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  const found = () => /"url":"([^"]+)"/.exec(output)?.[1];
  try {
    await until(() => found() !== undefined);
  } catch {
    await close();
    throw new Error(`the service did not begin: ${output.trim()}`);
  }
  return { url: found() as string, pid: service.pid as number, close };
}

/** Reads a page to its end. */
export async function readPage(path: string, url: string): Promise<Read> {
  const began = performance.now();
  const response = await fetch(new URL(path, url));
  const firstByteMs = performance.now() - began;
  await response.arrayBuffer();
  return { path, status: response.status, firstByteMs, wholeMs: performance.now() - began };
}

/** Waits a minute, or the given time. Throws after it. */
export async function until(holds: () => boolean, atLeastMs = 0): Promise<void> {
  const endMs = performance.now() + 60_000 + atLeastMs;
  while (!holds() && performance.now() < endMs) await pause(50);
  if (!holds()) throw new Error('what the benchmark waits for does not come');
}
