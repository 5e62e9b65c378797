import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Option as CommanderOption,
} from 'commander';
import { VERSION } from '../version.js';
import type { Command, CommandFacts, CommandOption, Finish, Input, Interrupt } from './command.js';
import { COMMON_OPTIONS } from './common-options.js';
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
] as [string, () => Promise<Command | AddCommand>][]);

/** All commands as data, in the order in which help shows them; all their code is loaded for it. */
export async function allCommands(): Promise<readonly CommandFacts[]> {
  const commands: CommandFacts[] = [];
  for (const load of COMMANDS.values()) {
    const command = await load();
    commands.push(typeof command === 'function' ? factsOf(command) : command);
  }
  return commands;
}

/** What a command that still adds itself tells of itself. */
function factsOf(add: AddCommand): CommandFacts {
  const program = new CommanderCommand();
  const io = { out: () => {}, err: () => {}, isTerminal: false, env: {}, cwd: '' };
  add(program, io, { signal: new AbortController().signal }, () => {});
  const [added] = program.commands;
  if (added === undefined) throw new Error('a command adds nothing');
  return {
    name: added.name(),
    description: added.description(),
    inputs: added.registeredArguments.map((input) => ({
      name: input.required ? `<${input.name()}>` : `[${input.name()}]`,
      ...(input.argChoices === undefined ? {} : { choices: input.argChoices }),
    })),
    options: added.options.map(({ flags, description, mandatory, argChoices, defaultValue }) => ({
      flags,
      description,
      isRequired: mandatory,
      ...(argChoices === undefined ? {} : { choices: argChoices }),
      ...(defaultValue === undefined ? {} : { default: defaultValue }),
    })),
    examples: EXAMPLES[added.name()] as unknown as CommandFacts['examples'],
  };
}

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
    .showSuggestionAfterError()
    .configureOutput(outputOf(io))
    .exitOverride();
  for (const option of COMMON_OPTIONS) program.addOption(optionOf(option));
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
