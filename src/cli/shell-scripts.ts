/**
 * A script for each shell that completes command lines. It calls `registrar completion offers` for each word: a line is a
 * word with its description behind two blanks, or one of `:file` and `:folder`, for which the shell itself completes paths.
 */
export const SHELL_SCRIPTS = {
  // From 3.2 on. Readline cuts words at = and takes them as they are typed.
  bash: `_registrar() {
  local current=\${COMP_WORDS[COMP_CWORD]} line quoted
  COMPREPLY=()
  if [[ $current == '=' ]]; then current=''; fi
  while IFS= read -r line; do
    case $line in
      :file | :folder)
        compopt -o filenames 2> /dev/null || true
        while IFS= read -r line; do COMPREPLY+=("$line"); done \\
          < <(compgen "$([[ $line == :file ]] && echo -f || echo -d)" -- "$current") ;;
      *)
        printf -v quoted %q "\${line%%  *}"
        COMPREPLY+=("$quoted") ;;
    esac
  done < <(registrar completion offers -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _registrar registrar
`,
  // To be sourced, or installed in a folder of fpath as _registrar.
  zsh: `#compdef registrar
_registrar() {
  local -a offers words_only
  offers=("\${(@f)$(registrar completion offers -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  case $offers[1] in
    :file) compset -P '--*='; _files ;;
    :folder) compset -P '--*='; _files -/ ;;
    ?*)
      words_only=("\${(@)offers%%  *}")
      compadd -l -d offers -a words_only ;;
  esac
}
if [[ $funcstack[1] == _registrar ]]; then
  _registrar "$@"
else
  compdef _registrar registrar
fi
`,
  // From 3 on.
  fish: `function __registrar_offers
  set -l offers (registrar completion offers -- (commandline -opc)[2..-1] (commandline -ct) 2> /dev/null)
  switch "$offers[1]"
    case :file
      __fish_complete_path (commandline -ct)
    case :folder
      __fish_complete_directories (commandline -ct)
    case '*'
      string replace -- '  ' \\t $offers
  end
end
complete -c registrar -f -a '(__registrar_offers)'
`,
} as const;
