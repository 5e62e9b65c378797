import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sqlFaults } from './crash-bench.js';
import { isStopped } from './is-stopped.js';
import { freshDatabase } from './postgres-server.js';
import { readSqlTrace } from './sql-trace.js';
import { tempFolder } from './temp-folder.js';
import {
  CREDENTIALS,
  ledgerEnv,
  type RunningCli,
  startCli,
  type TestWorkspace,
  until,
  type WorkspaceSpec,
} from './workspace.js';

// A program that is killed leaves what it has written by then. So one process that is stopped again and again, and copied
// meanwhile, shows what as many killed ones leave; it is killed itself, so that no copy names a process that is alive.

/** A moment of a program, `<failpoint>:<n>`. */
type Moment = `${string}:${number}`;

/** Files that identify the workspace of a copy. */
type Copy = Pick<WorkspaceSpec, 'root' | 'ledger' | 'receivedBefore'>;

/** Copies of a workspace as a program leaves it that is killed at each of these moments, given in the order in which they come. */
export async function killedAtMoments<M extends Moment>(
  workspace: TestWorkspace,
  moments: readonly M[],
  ...args: string[]
): Promise<ReadonlyMap<M, Copy>> {
  if (workspace.database !== null) return killedInTurn(workspace, workspace.database, moments, args);
  const program = workspace.startWith(
    {
      NODE_OPTIONS: `--import ${STOP_AT_MOMENTS}`,
      REGISTRAR_FAILPOINT_TRACE: join(tempFolder(), 'trace'),
      STOP_AT: moments.join(),
    },
    ...args,
  );
  return copiesAt(workspace, program, moments);
}

/** A database can't be copied while a program uses it: each copy has a program of its own, which is killed. */
async function killedInTurn<M extends Moment>(
  workspace: TestWorkspace,
  database: string,
  moments: readonly M[],
  args: readonly string[],
): Promise<ReadonlyMap<M, Copy>> {
  const copies = new Map<M, Copy>();
  for (const moment of moments) {
    const root = copyOf(workspace);
    const { url, drop } = await freshDatabase(database);
    onTestFinished(drop);
    const env = { ...CREDENTIALS, ...ledgerEnv({ database: url }), REGISTRAR_FAILPOINT: moment };
    const { code } = await startCli(args, { cwd: root, env }).ended;
    expect([moment, code]).toEqual([moment, null]);
    copies.set(moment, { root, ledger: url, receivedBefore: workspace.received() });
  }
  return copies;
}

/** The same for a ledger in a file and a program that is killed after each of these parts of its statements, ascending. */
export async function killedAtParts(
  workspace: TestWorkspace,
  parts: readonly number[],
  ...args: string[]
): Promise<ReadonlyMap<number, Copy>> {
  const trace = join(tempFolder(), 'trace');
  const tried = copyOf(workspace);
  await workspace.startWith(sqlFaults({ SQL_TRACE: trace }), ...args, '--workspace', tried).ended;
  const { carriedOut } = readSqlTrace(trace);
  const at = parts.map((part) => Math.floor(carriedOut * part));
  const program = workspace.startWith(sqlFaults({ SQL_FAULT: `stop:${at.join()}` }), ...args);
  return copiesAt(workspace, program, parts);
}

async function copiesAt<M>(
  workspace: TestWorkspace,
  program: RunningCli,
  moments: readonly M[],
): Promise<ReadonlyMap<M, Copy>> {
  const copies = new Map<M, Copy>();
  for (const moment of moments) {
    await until(`the program is stopped at ${moment}`, () => isStopped(program.pid));
    copies.set(moment, { root: copyOf(workspace), receivedBefore: workspace.received() });
    program.kill(copies.size < moments.length ? 'SIGCONT' : 'SIGKILL');
  }
  await program.ended;
  return copies;
}

function copyOf({ root }: TestWorkspace): string {
  const copy = join(tempFolder(), 'copy');
  cpSync(root, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

const STOP_AT_MOMENTS = new URL('../../dist/test/support/stop-at-moments.js', import.meta.url).href;
