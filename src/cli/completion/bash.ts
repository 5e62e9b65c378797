import { type Expected, SHELL_OPTIONS, type ShellCommand, type ShellOption } from './shell-command.js';

/** A script that completes command lines in bash 3.2 and newer. */
export function bashScript(commands: readonly ShellCommand[]): string {
  const kinds = commands.flatMap(({ name, options }) =>
    options.flatMap((option) => kindOf(`${name} ${option.name}`, option)),
  );
  const inputs = commands.flatMap(({ name, inputs }) =>
    inputs.flatMap((expected, index) => (expected === 'text' ? [] : caseOf(`${name} ${index}`, expected))),
  );
  const options = commands.map(
    ({ name, options }) => `    ${name}) words='${options.map((option) => option.name).join(' ')}' ;;`,
  );
  return `# Completes command lines of registrar in bash. Made by: registrar completion bash

# What follows an option goes into kind; it ends with ... where several words may.
_registrar_value() {
  kind=''
  case $2 in
${SHELL_OPTIONS.flatMap((option) => kindOf(option.name, option)).join('\n')}
  esac
  case "$1 $2" in
${kinds.join('\n')}
  esac
}

# What a word after the command is.
_registrar_input() {
  kind=''
  case "$1 $2" in
${inputs.join('\n')}
  esac
}

# The options of a command.
_registrar_options() {
  local words=''
  case $1 in
${options.join('\n')}
  esac
  printf '%s\\n' $words ${SHELL_OPTIONS.map(({ name }) => name).join(' ')}
}

# Offers those lines that begin like the word that is typed.
_registrar_offer() {
  local line
  while IFS= read -r line; do
    if [[ $line != '' && $line == "$current"* ]]; then
      printf -v line %q "$line"
      COMPREPLY+=("$line")
    fi
  done <<< "$1"
}

_registrar_paths() {
  local line
  compopt -o filenames 2> /dev/null || true
  while IFS= read -r line; do
    if [[ $line != '' ]]; then COMPREPLY+=("$line"); fi
  done <<< "$(compgen "$1" -- "$current")"
}

_registrar() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' option='' kind='' given=0 word i
  local -a workspace=()
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    # Bash takes the sign of --option=value for a word.
    if [[ $word == '=' ]]; then continue; fi
    if [[ $kind != '' && ($kind != *... || $word != -*) ]]; then
      if [[ $option == --workspace ]]; then workspace=(--workspace "\${word/#\\~\\//$HOME/}"); fi
      if [[ $kind != *... ]]; then kind=''; fi
    elif [[ $word == -* ]]; then
      option=$word
      _registrar_value "$command" "$option"
    elif [[ $command == '' ]]; then
      command=$word
    else
      given=$((given + 1))
    fi
  done
  if [[ $current == '=' ]]; then current=''; fi
  if [[ $kind == '' || ($kind == *... && $current == -*) ]]; then
    if [[ $current == -* ]]; then
      _registrar_offer "$(_registrar_options "$command")"
      return
    fi
    if [[ $command == '' ]]; then
      _registrar_offer '${commands.map(({ name }) => name).join('\n')}'
      return
    fi
    _registrar_input "$command" "$given"
  fi
  kind=\${kind%...}
  case $kind in
    file) _registrar_paths -f ;;
    folder) _registrar_paths -d ;;
    source | environment)
      _registrar_offer "$(registrar completion "\${kind}s" \${workspace[@]+"\${workspace[@]}"} 2> /dev/null)" ;;
    oneOf:*) _registrar_offer "\${kind#oneOf:}" ;;
  esac
}

complete -F _registrar registrar
`;
}

function kindOf(pattern: string, { value, isMany }: ShellOption): string[] {
  return value === null ? [] : caseOf(pattern, value, isMany ? '...' : '');
}

function caseOf(pattern: string, expected: Expected, end = ''): string[] {
  const kind = typeof expected === 'string' ? expected : `oneOf:${expected.oneOf.join('\n')}`;
  return [`    '${pattern}') kind='${kind}${end}' ;;`];
}
