import {
  Argument as CommanderArgument,
  Command as CommanderCommand,
  Option as CommanderOption,
} from 'commander';
import { EXIT_CODES } from '../domain/operator-error.js';
import { textTable } from '../report/text/layout.js';
import { VERSION } from '../version.js';
import type { Command } from './command.js';
import { COMMANDS } from './commands.js';
import type { Io } from './io.js';
import type { CommonOptions } from './options-of.js';
import { COMMON_OPTIONS, type Word, wordOf } from './options-of.js';

const TOPICS: Readonly<Record<string, () => string>> = {
  'exit-codes': () =>
    `How a command ends; of several codes the first that applies:\n\n${textTable(
      ['CODE', 'NAME', 'MEANING'],
      EXIT_CODES.map(({ code, name, meaning }) => [code, name, meaning]),
    )}`,
  environment: () =>
    textTable(
      ['VARIABLE', 'WHAT IT DOES'],
      [
        ['REGISTRAR_WORKSPACE', 'the workspace, where --workspace names none'],
        ['any name', 'registrar.yaml reads it as ${NAME}, such as the client id and the client secret'],
        ['TZ', 'the time zone of times shown to people'],
        ['NO_COLOR', 'with any value: no colours'],
        ['CI', 'with any value but false and 0: no prompts'],
        ['SUDO_USER', 'the person recorded with a decision made under sudo'],
        ['TMPDIR', 'the folder in which the demo makes its workspace'],
      ],
    ),
};

export type RunCommand = (
  command: Command,
  inputs: readonly (string | undefined)[],
  options: CommonOptions,
) => Promise<void>;

export function createProgram(io: Io, carry: RunCommand = async () => {}): CommanderCommand {
  const program = new CommanderCommand('registrar')
    .description('Imports learning records from files, delivers them, and proves where every row went.')
    .version(VERSION)
    .showSuggestionAfterError()
    .showHelpAfterError('See registrar --help.')
    .configureOutput(outputOf(io))
    .exitOverride();
  for (const [flags, about] of Object.entries(COMMON_OPTIONS)) program.addOption(optionOf(flags, about));
  for (const command of COMMANDS) addCommand(program, command, carry);
  const group = 'Help:';
  program
    .command('help [what]')
    .description(`show a command, or a topic: ${Object.keys(TOPICS).join(', ')}`)
    .helpGroup(group)
    .action((what?: string) => {
      const topic = Object.entries(TOPICS).find(([name]) => name === what);
      if (topic !== undefined) return io.out(`${topic[1]()}\n`);
      const command = program.commands.find((one) => one.name() === what);
      if (command === undefined && what !== undefined)
        program.error(`error: there is no command or topic '${what}'`);
      (command ?? program).outputHelp();
    });
  program
    .command('version')
    .description('print the version')
    .helpGroup(group)
    .action((_, { parent }) =>
      io.out(parent?.opts().json ? `${JSON.stringify({ version: VERSION }, null, 2)}\n` : `${VERSION}\n`),
    );
  for (const command of program.commands) command.exitOverride().configureOutput(outputOf(io));
  return program;
}

function addCommand(program: CommanderCommand, command: Command, carry: RunCommand): void {
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

/** Puts "registrar:" before commander's own complaints, as before all others. */
function outputOf(io: Io) {
  return {
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text: string, write: (text: string) => void) =>
      write(text.replace(/^error: /, 'registrar: ')),
  };
}
