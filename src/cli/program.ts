import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Option as CommanderOption,
} from 'commander';
import { VERSION } from '../version.js';
import type { Command } from './command.js';
import { COMMANDS } from './commands.js';
import type { CommonOptions, Io } from './io.js';
import { COMMON_OPTIONS, type Word } from './options-of.js';

export type Carry = (
  command: Command,
  inputs: readonly (string | undefined)[],
  options: CommonOptions,
) => Promise<void>;

export function createProgram(io: Io, carry: Carry = async () => {}): CommanderCommand {
  const program = new CommanderCommand('registrar')
    .description('Takes learning records out of file drops, delivers them, and proves where every row went.')
    .version(VERSION)
    .showSuggestionAfterError()
    .showHelpAfterError('See registrar --help.')
    .configureOutput(outputOf(io))
    .exitOverride();
  for (const [flags, about] of Object.entries(COMMON_OPTIONS)) program.addOption(optionOf(flags, about));
  for (const command of COMMANDS) addCommand(program, command, carry);
  program.commandsGroup('Help:').helpCommand('help [command]', 'show a command');
  program
    .command('version')
    .description('print the version')
    .action((_, { parent }) =>
      io.out(parent?.opts().json ? `${JSON.stringify({ version: VERSION }, null, 2)}\n` : `${VERSION}\n`),
    );
  return program;
}

function addCommand(program: CommanderCommand, command: Command, carry: Carry): void {
  const { name, description, group, inputs = {}, options = {}, examples } = command;
  const lines = ['', 'Examples:', ...examples.map((line) => `  ${line}`)];
  const parser = program
    .command(name)
    .description(description)
    .helpGroup(`${group}:`)
    .addHelpText('after', lines.join('\n'));
  parser.showHelpAfterError(`See registrar ${name} --help.`);
  for (const [input, about] of Object.entries(inputs)) parser.addArgument(argumentOf(input, about));
  for (const [flags, about] of Object.entries(options)) parser.addOption(optionOf(flags, about));
  parser.action(() => carry(command, parser.processedArgs.flat(), parser.optsWithGlobals<CommonOptions>()));
}

function argumentOf(name: string, about: string | Word): CommanderArgument {
  const { description, choices } = wordOf(about);
  const argument = new CommanderArgument(name, description);
  return choices === undefined ? argument : argument.choices(choices);
}

function optionOf(flags: string, about: string | Word): CommanderOption {
  const { description, isRequired = false, choices, conflicts = [], parse, ...more } = wordOf(about);
  const option = new CommanderOption(flags, description)
    .makeOptionMandatory(isRequired)
    .conflicts([...conflicts]);
  if (choices !== undefined) option.choices(choices);
  if (parse !== undefined) option.argParser<unknown>((text, before) => parse(text, before as never));
  return 'default' in more ? option.default(more.default) : option;
}

function wordOf(about: string | Word): Word {
  return typeof about === 'string' ? { description: about } : about;
}

/** Puts "registrar:" before commander's own complaints, as before all others. */
function outputOf(io: Io) {
  return {
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text: string, write: (text: string) => void) =>
      write(text.replace(/^error: /, 'registrar: ')),
  };
}
