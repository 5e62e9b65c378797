import { Command } from 'commander';
import type { ExitName } from '../domain/operator-error.js';
import { VERSION } from '../version.js';
import { addCheck } from './check.js';
import { addDemo } from './demo.js';
import { addDismiss } from './dismiss.js';
import { addInit } from './init.js';
import { addInspect } from './inspect.js';
import type { Io } from './io.js';
import { addReport } from './report.js';
import { addRerun } from './rerun.js';
import { addRestage } from './restage.js';
import { addRun } from './run.js';
import { addSandbox } from './sandbox.js';
import { addSchedule } from './schedule.js';
import { addStatus } from './status.js';

/** The process's way of being asked to stop. */
export interface Interrupt {
  /** Aborted by the first SIGINT or SIGTERM. Until a command asks for it, a signal ends the process at once. */
  readonly signal: AbortSignal;
}

/** Says how the process should end; of several calls the first in the order of exit codes counts. */
export type Finish = (exit: ExitName) => void;

/** All commands, in the order in which help shows them. */
const COMMANDS = [
  addInit,
  addDemo,
  addInspect,
  addCheck,
  addRun,
  addStatus,
  addRerun,
  addDismiss,
  addRestage,
  addReport,
  addSchedule,
  addSandbox,
];

/** The command line as commander sees it. */
export function createProgram(io: Io, interrupt: Interrupt, finish: Finish): Command {
  const program = new Command('registrar')
    .description('Takes learning records out of file drops, delivers them, and proves where every row went.')
    .version(VERSION)
    .option('--workspace <dir>', 'the workspace (else REGISTRAR_WORKSPACE, else the current folder)')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'say nothing but errors')
    .option('--verbose', 'log every step')
    .showSuggestionAfterError()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride();
  for (const add of COMMANDS) add(program, io, interrupt, finish);
  for (const command of program.commands) {
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
    if (command.description() === '') throw new Error(`${command.name()} has no description`);
  }
  return program;
}
