import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { csvOf, exportRow, exportRows } from './exports.js';
import { isStopped } from './is-stopped.js';
import { tempFolder } from './temp-folder.js';
import { type RunningCli, type TestWorkspace, testWorkspace, until } from './workspace.js';

/** How to interrupt work. `full disk` needs the right to mount a file system. */
export const INTERRUPTIONS = ['SIGTERM', 'SIGKILL', 'SIGHUP', 'lock', 'full disk'] as const;

export type Interruption = (typeof INTERRUPTIONS)[number];

/** What is interrupted: rows that are being sent, a file that is being imported, a person who is being forgotten. */
export const WORK = ['delivery', 'import', 'forget'] as const;

/** What a service made of interrupted work. */
export interface FinishedWork {
  /** From the start of the service, or the end of what was in the way, until the work was done. */
  readonly ms: number;
  readonly workspace: TestWorkspace;
  /** Stops the service, which must end as one that is stopped. */
  end(): Promise<void>;
}

/** More than are under way at once, so that some wait whatever the signal. */
const ROWS = 60;

/** More than a transaction has that reads them in steps of a thousand. */
const IMPORTED_ROWS = 3_100;

const JANE = 'jane.canary@example.org';

/** Longer than any machine takes: the caller judges the time. */
const PATIENCE_MS = 120_000;

/** It takes seconds, and each look opens the ledger. */
const SELDOM = { interval: 200, timeout: PATIENCE_MS };

/** Longer than a statement waits for a lock. A service reports it once all requests under way have waited in turn. */
const LOCK_MS = 35_000;

/**
 * Interrupts work in its middle, and waits until an idle service has finished it.
 * @param hasRunLine the schedule has a line that imports every other second.
 */
export async function finishedByService(
  work: (typeof WORK)[number],
  interruption: Interruption,
  hasRunLine: boolean,
): Promise<FinishedWork> {
  const disk = interruption === 'full disk' ? smallDisk() : null;
  const workspace = await testWorkspace({
    schedule: hasRunLine ? [{ cron: '*/2 * * * * *', do: ['run'] }] : [],
    ...(disk === null ? {} : { root: disk }),
  });
  const beginning = await BEGIN[work](workspace);
  const atMs = await interrupt(beginning, interruption, workspace, disk);
  const { startedMs, service } =
    beginning.service === null || interruption === 'SIGTERM' || interruption === 'SIGKILL'
      ? { startedMs: performance.now(), service: servingHere(workspace) }
      : { startedMs: atMs, service: serving(beginning.service) };
  // A signal to a process that has only begun to load would not reach its handler.
  const isAtWork = () =>
    workspace.query(`select 1 from service where pid = ${service.pid} and stopped_at is null`).length === 1;
  const isDone = () => isAtWork() && DONE[work](workspace);
  await expect
    .poll(isDone, SELDOM)
    .toBe(true)
    .catch((error) => {
      throw new Error(
        `${work} is not finished after ${interruption}: ${error.message}; the service says: ${service.stderr()}`,
      );
    });
  return { ms: performance.now() - startedMs, workspace, end: service.end };
}

/** A service within this process. */
function servingHere(workspace: TestWorkspace) {
  const line = workspace.begin('schedule');
  const end = async () => {
    line.stop();
    expect((await line.ended).code).toBe(130);
  };
  return { pid: process.pid, stderr: line.stderr, end };
}

function serving({ pid, stderr, kill, ended }: RunningCli) {
  const end = async () => {
    kill('SIGTERM');
    expect((await ended).code).toBe(143);
  };
  return { pid, stderr, end };
}

/** Work that has stopped in its middle. */
interface Begun {
  readonly process: RunningCli;
  /** The service that does it; null: a command does. */
  readonly service: RunningCli | null;
}

const BEGIN = {
  async delivery(workspace: TestWorkspace): Promise<Begun> {
    const service = await stoppedAt('attempt-written:3:stop', workspace, 'schedule');
    workspace.drop('a.csv', csvOf(exportRows(ROWS)));
    await hasStopped(service);
    return { process: service, service };
  },
  async import(workspace: TestWorkspace): Promise<Begun> {
    const service = await stoppedAt('batch-committed:1:stop', workspace, 'schedule');
    workspace.drop('a.csv', csvOf(exportRows(IMPORTED_ROWS)));
    await hasStopped(service);
    return { process: service, service };
  },
  async forget(workspace: TestWorkspace): Promise<Begun> {
    const janesRows = Array.from({ length: 600 }, (_, n) =>
      exportRow(n, { email: JANE, course: `COURSE-${n}` }),
    );
    workspace.drop('a.csv', csvOf(janesRows));
    await workspace.cli('run', '--no-push');
    const forgetting = await stoppedAt('decision-opened:1:stop', workspace, 'forget', JANE, '--because', 'x');
    await hasStopped(forgetting);
    return { process: forgetting, service: null };
  },
} satisfies Record<(typeof WORK)[number], (workspace: TestWorkspace) => Promise<Begun>>;

const DONE: Record<(typeof WORK)[number], (workspace: TestWorkspace) => boolean> = {
  delivery: ({ states }) => states().accepted === ROWS,
  import: ({ query }) =>
    query(`select 1 from drop_file where state = 'published' and staged = ${IMPORTED_ROWS}`).length === 1,
  forget: ({ query }) =>
    query("select 1 from decision where kind = 'forget' and finished_at is not null").length === 1 &&
    query('select 1 from forget_identifier').length === 0,
};

async function stoppedAt(failpoint: string, workspace: TestWorkspace, ...args: string[]) {
  return workspace.startWith({ REGISTRAR_FAILPOINT: failpoint }, ...args);
}

/** Waits until a process has stopped itself. */
async function hasStopped({ pid }: RunningCli): Promise<void> {
  await until('the work has stopped in its middle', () => isStopped(pid), PATIENCE_MS);
}

/** @returns when what was in the way was over. */
async function interrupt(
  { process, service }: Begun,
  interruption: Interruption,
  { root }: TestWorkspace,
  disk: string | null,
): Promise<number> {
  const failed = async (text: RegExp) => {
    process.kill('SIGCONT');
    await until(`it fails: ${text}`, () => text.test(process.stderr()), PATIENCE_MS);
    if (service === null) await process.ended;
  };
  switch (interruption) {
    case 'SIGTERM':
    case 'SIGKILL':
      process.kill(interruption);
      process.kill('SIGCONT');
      await process.ended;
      break;
    case 'SIGHUP':
      process.kill('SIGHUP');
      process.kill('SIGCONT');
      if (service === null) await process.ended;
      break;
    case 'lock': {
      const other = new BetterSqlite3(join(root, 'registrar.db'));
      onTestFinished(() => void other.close());
      other.exec('begin immediate');
      if (service === null) await failed(/lock/);
      else {
        process.kill('SIGCONT');
        await pause(LOCK_MS);
      }
      other.exec('rollback');
      break;
    }
    case 'full disk': {
      const filler = join(disk ?? root, 'filler');
      const { bavail, bsize } = statfsSync(root);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
      await failed(/full/);
      rmSync(filler);
    }
  }
  return performance.now();
}

/** A file system of 64 MB. */
function smallDisk(): string {
  const folder = tempFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) throw new Error(mounted.stderr);
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}
