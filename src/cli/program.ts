import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Option as CommanderOption,
} from 'commander';
import { VERSION } from '../version.js';
import type { Command, CommandOption, Finish, Input, Interrupt } from './command.js';
import { EXAMPLES } from './examples.js';
import type { CommonOptions, Io } from './io.js';

/** A command that still adds itself. */
type AddCommand = (program: CommanderCommand, io: Io, interrupt: Interrupt, finish: Finish) => void;

/** Carries a command out, once the command line is parsed. */
export type Carry = (
  command: Command,
  inputs: readonly (string | undefined)[],
  options: CommonOptions,
) => Promise<void>;

/** All commands, in the order in which help shows them. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command | AddCommand>> = new Map([
  ['init', async () => (await import('./init.js')).addInit],
  ['source', async () => (await import('./source.js')).addSource],
  ['demo', async () => (await import('./demo.js')).addDemo],
  ['inspect', async () => (await import('./inspect.js')).addInspect],
  ['check', async () => (await import('./check.js')).addCheck],
  ['run', async () => (await import('./run.js')).addRun],
  ['status', async () => (await import('./status.js')).statusCommand],
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
  ['trace', async () => (await import('./trace.js')).traceCommand],
  ['schedule', async () => (await import('./schedule.js')).addSchedule],
  ['sandbox', async () => (await import('./sandbox.js')).addSandbox],
] as [string, () => Promise<Command | AddCommand>][]);

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
  carry: Carry = async () => {},
): Promise<CommanderCommand> {
  const program = new CommanderCommand('registrar')
    .description('Takes learning records out of file drops, delivers them, and proves where every row went.')
    .version(VERSION)
    .option('--workspace <dir>', 'the workspace (else REGISTRAR_WORKSPACE, else the current folder)')
    .option('--json', 'one JSON document on stdout')
    .option('--quiet', 'say nothing but errors')
    .option('--verbose', 'log every step')
    .showSuggestionAfterError()
    .configureOutput(outputOf(io))
    .exitOverride();
  for (const load of commandsFor(first)) {
    const command = await load();
    if (typeof command === 'function') command(program, io, interrupt, finish);
    else addCommand(program, command, carry);
  }
  for (const command of program.commands) {
    command.exitOverride().configureOutput(outputOf(io));
    if (command.description() === '') throw new Error(`${command.name()} has no description`);
    const lines = EXAMPLES[command.name()];
    if (lines !== undefined) command.addHelpText('after', examplesText(lines));
  }
  return program;
}

function addCommand(program: CommanderCommand, command: Command, carry: Carry): void {
  const { name, description, inputs = [], options = [], examples } = command;
  const parser = program.command(name).description(description).addHelpText('after', examplesText(examples));
  for (const input of inputs) parser.addArgument(argumentOf(input));
  for (const option of options) parser.addOption(optionOf(option));
  parser.action(() => carry(command, parser.processedArgs, parser.optsWithGlobals<CommonOptions>()));
}

function argumentOf({ name, description, choices }: Input): CommanderArgument {
  const argument = new CommanderArgument(name, description);
  return choices === undefined ? argument : argument.choices(choices);
}

function optionOf({ flags, description, isRequired, choices, parse, ...more }: CommandOption) {
  const option = new CommanderOption(flags, description).makeOptionMandatory(isRequired ?? false);
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser<unknown>((text, before) => parse(text, before as never));
  return 'default' in more ? option.default(more.default) : option;
}

function examplesText(lines: readonly string[]): string {
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

function commandsFor(first = ''): Iterable<() => Promise<Command | AddCommand>> {
  if (VERSION_OPTIONS.includes(first)) return [];
  const asked = COMMANDS.get(first);
  return asked === undefined ? COMMANDS.values() : [asked];
}

/** As commander names them by default. */
const VERSION_OPTIONS: readonly string[] = ['-V', '--version'];
