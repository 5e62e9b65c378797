import { type Expected, SHELL_OPTIONS, type ShellCommand, type ShellOption } from './shell-command.js';

/** A script that completes command lines in fish 3 and newer. */
export function fishScript(commands: readonly ShellCommand[]): string {
  const valued = (options: readonly ShellOption[]) => options.filter(({ value }) => value !== null);
  const pairs = commands.flatMap(({ name, options }) =>
    valued(options).map((option) => quoted(`${name} ${option.name}`)),
  );
  return `# Completes command lines of registrar in fish. Made by: registrar completion fish

# The command, how many words after it are given, and the workspace.
function __registrar_at
  set -l command ''
  set -l given 0
  set -l workspace ''
  set -l option ''
  for word in (commandline -opc)[2..-1]
    if test -n "$option"
      if test "$option" = --workspace
        set workspace $word
      end
      set option ''
    else if string match -q -- '--workspace=*' $word
      set workspace (string replace -- '--workspace=' '' $word)
    else if string match -q -- '-*' $word
      if contains -- "$command $word" ${pairs.join(' ')}
        or contains -- $word ${valued(SHELL_OPTIONS)
          .map(({ name }) => name)
          .join(' ')}
        set option $word
      end
    else if test -z "$command"
      set command $word
    else
      set given (math $given + 1)
    end
  end
  printf '%s\\n' "$command" $given "$workspace"
end

# Whether it is this command, with so many words given after it.
function __registrar_is
  set -l at (__registrar_at)
  test "$at[1]" = "$argv[1]"; or return 1
  test (count $argv) -lt 2; or test "$at[2]" = "$argv[2]"
end

function __registrar_names
  set -l at (__registrar_at)
  if test -n "$at[3]"
    registrar completion $argv[1] --workspace (string replace -r -- '^~/' "$HOME/" $at[3]) 2> /dev/null
  else
    registrar completion $argv[1] 2> /dev/null
  end
end

complete -c registrar -f
${SHELL_OPTIONS.map((option) => `complete -c registrar${optionArguments(option)}`).join('\n')}
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ name, description, inputs, options }: ShellCommand): string[] {
  const on = (condition: string) => `complete -c registrar -n ${quoted(condition)}`;
  return [
    `${on("__registrar_is ''")} -a ${name} -d ${quoted(description)}`,
    ...options.map((option) => `${on(`__registrar_is ${name}`)}${optionArguments(option)}`),
    ...inputs.flatMap((expected, index) =>
      expected === 'text'
        ? []
        : [`${on(`__registrar_is ${name} ${index}`)} ${expected === 'file' ? '-F' : words(expected)}`],
    ),
  ];
}

function optionArguments({ name, description, value }: ShellOption): string {
  const what = ` -l ${name.slice(2)} -d ${quoted(description)}`;
  if (value === null) return what;
  return `${what} ${value === 'file' ? '-r -F' : `-x ${words(value)}`}`.trimEnd();
}

function words(expected: Exclude<Expected, 'file'>): string {
  switch (expected) {
    case 'folder':
      return `-a '(__fish_complete_directories)'`;
    case 'source':
    case 'environment':
      return `-a '(__registrar_names ${expected}s)'`;
    case 'text':
      return '';
    default:
      return `-a ${quoted(expected.oneOf.join(' '))}`;
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
