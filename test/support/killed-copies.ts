import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { sqlFaults } from './crash-bench.js';
import { isStopped } from './is-stopped.js';
import { readSqlTrace } from './sql-trace.js';
import { tempFolder } from './temp-folder.js';
import { type RunningCli, type TestWorkspace, until } from './workspace.js';

// A program that is killed leaves what it has written by then. So one process that is stopped again and again, and copied
// meanwhile, shows what as many killed ones leave; it is killed itself, so that no copy names a process that is alive.

/** A moment of a program, `<failpoint>:<n>`. */
type Moment = `${string}:${number}`;

/** Copies of a workspace as a program leaves it that is killed at each of these moments, given in the order in which they come. */
export async function killedAtMoments<M extends Moment>(
  workspace: TestWorkspace,
  moments: readonly M[],
  ...args: string[]
): Promise<ReadonlyMap<M, string>> {
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

/** The same for a program that is killed after each of these parts of its statements, ascending. */
export async function killedAtParts(
  workspace: TestWorkspace,
  parts: readonly number[],
  ...args: string[]
): Promise<ReadonlyMap<number, string>> {
  const trace = join(tempFolder(), 'trace');
  const tried = join(tempFolder(), 'tried');
  cpSync(workspace.root, tried, { recursive: true });
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
): Promise<ReadonlyMap<M, string>> {
  const copies = new Map<M, string>();
  for (const moment of moments) {
    await until(`the program is stopped at ${moment}`, () => isStopped(program.pid));
    const copy = join(tempFolder(), 'copy');
    cpSync(workspace.root, copy, { recursive: true, preserveTimestamps: true });
    copies.set(moment, copy);
    program.kill(copies.size < moments.length ? 'SIGCONT' : 'SIGKILL');
  }
  await program.ended;
  return copies;
}

const STOP_AT_MOMENTS = new URL('../../dist/test/support/stop-at-moments.js', import.meta.url).href;
