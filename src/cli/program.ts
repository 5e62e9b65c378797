import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Option as CommanderOption,
} from 'commander';
import { VERSION } from '../version.js';
import type { Command, CommandOption, Input } from './command.js';
import { COMMANDS } from './commands.js';
import { COMMON_OPTIONS } from './common-options.js';
import type { CommonOptions, Io } from './io.js';

/** Carries a command out, once the command line is parsed. */
export type Carry = (
  command: Command,
  inputs: readonly (string | undefined)[],
  options: CommonOptions,
) => Promise<void>;

/** The command line as commander sees it. */
export function createProgram(io: Io, carry: Carry = async () => {}): CommanderCommand {
  const program = new CommanderCommand('registrar')
    .description('Takes learning records out of file drops, delivers them, and proves where every row went.')
    .version(VERSION)
    .showSuggestionAfterError()
    .showHelpAfterError('See registrar --help.')
    .configureOutput(outputOf(io))
    .exitOverride();
  for (const option of COMMON_OPTIONS) program.addOption(optionOf(option));
  for (const command of COMMANDS) addCommand(program, command, carry);
  // What many programs call it; help names the option alone.
  program.command('version', { hidden: true }).action(() => io.out(`${VERSION}\n`));
  for (const command of program.commands) command.exitOverride().configureOutput(outputOf(io));
  return program;
}

function addCommand(program: CommanderCommand, command: Command, carry: Carry): void {
  const { name, description, inputs = [], options = [], examples } = command;
  const lines = ['', 'Examples:', ...examples.map((line) => `  ${line}`)];
  const parser = program.command(name).description(description).addHelpText('after', lines.join('\n'));
  const needs = [
    ...inputs.flatMap((input) => (input.name.startsWith('<') ? input.name : [])),
    ...options.flatMap(({ flags, isRequired }) => (isRequired ? flags : [])),
  ];
  const usage = needs.length === 0 ? '' : `Write registrar ${name} ${needs.join(' ')}. `;
  parser.showHelpAfterError(`${usage}See registrar ${name} --help.`);
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

/** Puts "registrar:" before commander's own complaints, as before all others. */
function outputOf(io: Io) {
  return {
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text: string, write: (text: string) => void) =>
      write(text.replace(/^error: /, 'registrar: ')),
  };
}
