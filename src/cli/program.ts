import { Command } from 'commander';
import type { ExitName } from '../domain/operator-error.js';
import { VERSION } from '../version.js';
import { EXAMPLES } from './examples.js';
import type { Io } from './io.js';

/** The process's way of being asked to stop. */
export interface Interrupt {
  /** Aborted by the first SIGINT or SIGTERM. Until a command asks for it, a signal ends the process at once. */
  readonly signal: AbortSignal;
}

/** Says how the process should end; of several calls the first in the order of exit codes counts. */
export type Finish = (exit: ExitName) => void;

type AddCommand = (program: Command, io: Io, interrupt: Interrupt, finish: Finish) => void;

/** All commands, in the order in which help shows them. */
const COMMANDS: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ['init', async () => (await import('./init.js')).addInit],
  ['source', async () => (await import('./source.js')).addSource],
  ['demo', async () => (await import('./demo.js')).addDemo],
  ['inspect', async () => (await import('./inspect.js')).addInspect],
  ['check', async () => (await import('./check.js')).addCheck],
  ['run', async () => (await import('./run.js')).addRun],
  ['status', async () => (await import('./status.js')).addStatus],
  ['rerun', async () => (await import('./rerun.js')).addRerun],
  ['dismiss', async () => (await import('./dismiss.js')).addDismiss],
  ['map', async () => (await import('./map.js')).addMap],
  ['restage', async () => (await import('./restage.js')).addRestage],
  ['report', async () => (await import('./report.js')).addReport],
  ['doctor', async () => (await import('./doctor.js')).addDoctor],
  ['backup', async () => (await import('./backup.js')).addBackup],
  ['restore', async () => (await import('./restore.js')).addRestore],
  ['purge', async () => (await import('./purge.js')).addPurge],
  ['forget', async () => (await import('./forget.js')).addForget],
  ['call', async () => (await import('./call.js')).addCall],
  ['trace', async () => (await import('./trace.js')).addTrace],
  ['schedule', async () => (await import('./schedule.js')).addSchedule],
  ['sandbox', async () => (await import('./sandbox.js')).addSandbox],
]);

/**
 * The command line as commander sees it.
 * @param first the first argument. Where it asks for one command, or for the version, the others aren't loaded: most of
 *   the time that a short command takes is the loading of code, and half of that would be for the others.
 */
export async function createProgram(
  io: Io,
  interrupt: Interrupt,
  finish: Finish,
  first?: string,
): Promise<Command> {
  const program = new Command('registrar')
    .description('Takes learning records out of file drops, delivers them, and proves where every row went.')
    .version(VERSION)
    .option('--workspace <dir>', 'the workspace (else REGISTRAR_WORKSPACE, else the current folder)')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'say nothing but errors')
    .option('--verbose', 'log every step')
    .showSuggestionAfterError()
    .configureOutput(outputOf(io))
    .exitOverride();
  for (const load of commandsFor(first)) (await load())(program, io, interrupt, finish);
  for (const command of program.commands) {
    command.exitOverride().configureOutput(outputOf(io));
    if (command.description() === '') throw new Error(`${command.name()} has no description`);
    command.addHelpText('after', examplesOf(command.name()));
  }
  return program;
}

function examplesOf(name: string): string {
  const lines = EXAMPLES[name];
  if (lines === undefined) throw new Error(`${name} has no example`);
  return ['', lines.length === 1 ? 'Example:' : 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Commander's own complaints say who complains, as all others do. */
function outputOf(io: Io) {
  return {
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text: string, write: (text: string) => void) =>
      write(text.replace(/^error: /, 'registrar: ')),
  };
}

function commandsFor(first = ''): Iterable<() => Promise<AddCommand>> {
  if (VERSION_OPTIONS.includes(first)) return [];
  const asked = COMMANDS.get(first);
  return asked === undefined ? COMMANDS.values() : [asked];
}

/** As commander names them by default. */
const VERSION_OPTIONS: readonly string[] = ['-V', '--version'];
