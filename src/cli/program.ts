import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Option as CommanderOption,
} from 'commander';
import { VERSION } from '../version.js';
import type { Command, CommandFacts, CommandOption, Input } from './command.js';
import { COMMON_OPTIONS } from './common-options.js';
import type { CommonOptions, Io } from './io.js';

/** Carries a command out, once the command line is parsed. */
export type Carry = (
  command: Command,
  inputs: readonly (string | undefined)[],
  options: CommonOptions,
) => Promise<void>;

/** All commands, in the order in which help shows them. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['init', async () => (await import('./init.js')).initCommand],
  ['source', async () => (await import('./source.js')).sourceCommand],
  ['demo', async () => (await import('./demo.js')).demoCommand],
  ['inspect', async () => (await import('./inspect.js')).inspectCommand],
  ['check', async () => (await import('./check.js')).checkCommand],
  ['run', async () => (await import('./run.js')).runCommand],
  ['status', async () => (await import('./status.js')).statusCommand],
  ['rerun', async () => (await import('./rerun.js')).rerunCommand],
  ['dismiss', async () => (await import('./dismiss.js')).dismissCommand],
  ['map', async () => (await import('./map.js')).mapCommand],
  ['correct', async () => (await import('./correct.js')).correctCommand],
  ['restage', async () => (await import('./restage.js')).restageCommand],
  ['report', async () => (await import('./report.js')).reportCommand],
  ['doctor', async () => (await import('./doctor.js')).doctorCommand],
  ['backup', async () => (await import('./backup.js')).backupCommand],
  ['restore', async () => (await import('./restore.js')).restoreCommand],
  ['purge', async () => (await import('./purge.js')).purgeCommand],
  ['forget', async () => (await import('./forget.js')).forgetCommand],
  ['call', async () => (await import('./call.js')).callCommand],
  ['trace', async () => (await import('./trace.js')).traceCommand],
  ['schedule', async () => (await import('./schedule.js')).scheduleCommand],
  ['sandbox', async () => (await import('./sandbox.js')).sandboxCommand],
  ['completion', async () => (await import('./completion.js')).completionCommand],
] satisfies [string, () => Promise<Command>][]);

/** All commands as data, in the order in which help shows them; all their code is loaded for it. */
export function allCommands(): Promise<readonly CommandFacts[]> {
  return Promise.all([...COMMANDS.values()].map((load) => load()));
}

/**
 * The command line as commander sees it.
 * @param first the first argument. Where it asks for one command, or for the version, the others aren't loaded: most of
 *   the time that a short command takes is the loading of code, and half of that would be for the others.
 */
export async function createProgram(
  io: Io,
  first?: string,
  carry: Carry = async () => {},
): Promise<CommanderCommand> {
  const program = new CommanderCommand('registrar')
    .description('Takes learning records out of file drops, delivers them, and proves where every row went.')
    .version(VERSION)
    .showSuggestionAfterError()
    .configureOutput(outputOf(io))
    .exitOverride();
  for (const option of COMMON_OPTIONS) program.addOption(optionOf(option));
  for (const load of commandsFor(first)) addCommand(program, await load(), carry);
  for (const command of program.commands) command.exitOverride().configureOutput(outputOf(io));
  return program;
}

function addCommand(program: CommanderCommand, command: Command, carry: Carry): void {
  const { name, description, inputs = [], options = [], examples } = command;
  const lines = ['', 'Examples:', ...examples.map((line) => `  ${line}`)];
  const parser = program.command(name).description(description).addHelpText('after', lines.join('\n'));
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

/** Commander's own complaints say who complains, as all others do. */
function outputOf(io: Io) {
  return {
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text: string, write: (text: string) => void) =>
      write(text.replace(/^error: /, 'registrar: ')),
  };
}

function commandsFor(first = ''): Iterable<() => Promise<Command>> {
  if (VERSION_OPTIONS.includes(first)) return [];
  const asked = COMMANDS.get(first);
  return asked === undefined ? COMMANDS.values() : [asked];
}

/** As commander names them by default. */
const VERSION_OPTIONS: readonly string[] = ['-V', '--version'];
