import { type Expected, SHELL_OPTIONS, type ShellCommand, type ShellOption } from './shell-command.js';

/** A script that completes command lines in zsh, to be sourced or to lie in a folder of fpath as `_registrar`. */
export function zshScript(commands: readonly ShellCommand[]): string {
  const cases = commands.map(({ name, inputs, options }) => {
    const specs = [
      ...options.map(optionSpec),
      ...inputs.map((expected, index) => quoted(`${index + 1}:word:${action(expected)}`)),
    ];
    return `        ${name}) _arguments $common ${specs.join(' ')} ;;`;
  });
  return `#compdef registrar
# Completes command lines of registrar in zsh. Made by: registrar completion zsh

# What it is called with before its own word is for compadd.
_registrar_names() {
  local at=\${(Q)\${opt_args[--workspace]:-$registrar_workspace}}
  local -a names
  names=(\${(f)"$(registrar completion \${@[-1]} \${at:+--workspace} \${at/#\\~\\//$HOME/} 2> /dev/null)"})
  compadd "\${@[1,-2]}" -a names
}

_registrar() {
  local context state state_descr line registrar_workspace
  typeset -A opt_args
  local -a common commands
  common=(${SHELL_OPTIONS.map(optionSpec).join(' ')})
  commands=(${commands.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ')})
  _arguments -C $common '1: :->command' '*:: :->rest' && return
  registrar_workspace=\${opt_args[--workspace]}
  case $state in
    command) _describe -t commands 'command of registrar' commands ;;
    rest)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}

if [[ $funcstack[1] == _registrar ]]; then
  _registrar "$@"
else
  compdef _registrar registrar
fi
`;
}

function optionSpec({ name, description, value, isMany }: ShellOption): string {
  const about = `[${description.replace(/[\\[\]:]/g, '\\$&')}]`;
  if (value === null) return quoted(`${name}${about}`);
  // All words up to the next option.
  return quoted(
    isMany ? `*${name}${about}:*-*:value:${action(value)}` : `${name}=${about}:value:${action(value)}`,
  );
}

function action(expected: Expected): string {
  switch (expected) {
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'source':
    case 'environment':
      return `_registrar_names ${expected}s`;
    case 'text':
      return ' ';
    default:
      return `(${expected.oneOf.join(' ')})`;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
