import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Io } from '../../src/cli/io.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { tempFolder } from './temp-folder.js';

const PROGRAM = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));

/** Shells with completion under test. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** Where a line is typed. */
export interface Place {
  readonly cwd: string;
  /** Further variables of the shell. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * A folder for what takes long to make and is the same for all shells and lines: the file of zsh's own completions, and
   * what the program offers for the words that it gets.
   */
  readonly shared: string;
}

/** The name of what is kept for the words of a command line. */
const KEPT = `$(printf '%s\\n' "$@" | cksum)`;

/**
 * Keeps what the program offers for the last word of a line, said within this process: to start the program takes as long as to
 * complete ten lines. It is started all the same where a shell gives it other words.
 */
export async function keepOffers(line: string, { cwd, env, shared }: Place): Promise<void> {
  const args = ['completion', 'offers', '--', ...line.split(' ').slice(1)];
  const input = await printed(args, { cwd, env });
  const done = spawnSync('sh', ['-c', `cat > "$0/${KEPT}"`, shared, ...args], { input, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`sh ended with ${done.status}: ${done.stderr}`);
}

/** A folder for PATH with a `registrar` that completes, and notes all its other commands. */
function programFolder({ shared }: Place): { readonly folder: string; readonly requestFile: string } {
  const folder = tempFolder();
  const requestFile = join(folder, 'asked');
  const path = join(folder, 'registrar');
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" = completion ]; then
  kept="${shared}/${KEPT}"
  [ -f "$kept" ] || '${process.execPath}' '${PROGRAM}' "$@" > "$kept" || exit
  exec cat "$kept"
fi
printf '%s\\n' "$*" > '${requestFile}.new'
mv '${requestFile}.new' '${requestFile}'
`,
  );
  chmodSync(path, 0o700);
  return { folder, requestFile };
}

/** Separates a shell's output for one line from the next. */
const NEXT = '--next--';

/**
 * What one shell offers for the last word of each line, sorted; of zsh, which shows it on a terminal alone, what the line has
 * become once the key was pressed, [] where it stayed as it was.
 */
export async function completed(
  shell: Shell,
  lines: readonly string[],
  place: Place,
): Promise<Record<string, string[]>> {
  const { cwd } = place;
  const { folder, requestFile } = programFolder(place);
  const script = join(folder, 'script');
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ...place.env,
  };
  writeFileSync(script, await scriptOf(shell));
  const [before, toLine] = COMMANDS[shell]({ script, requestFile, dump: join(place.shared, 'dump') });
  const args = [...ALONE[shell], '-c', [before, ...lines.map(toLine)].join(`\necho ${NEXT}\n`)];
  const done = spawnSync(shell, args, { cwd, env, encoding: 'utf8', timeout: 300_000 });
  if (done.status !== 0) throw new Error(`${shell} ended with ${done.status}: ${done.stderr}`);
  const outputs = done.stdout.split(`${NEXT}\n`).slice(1);
  return Object.fromEntries(lines.map((line, at) => [line, offersIn(outputs[at] ?? '', line)]));
}

/** None where the line is unchanged. */
function offersIn(output: string, line: string): string[] {
  const offers = output.split('\n').filter((one) => one !== '');
  return offers
    .map((offer) => offer.split('\t')[0] ?? '')
    .filter((offer) => offer !== line.trimEnd())
    .sort();
}

/** Without the settings of the user. */
const ALONE = { fish: ['-N'], bash: ['--norc'], zsh: ['-f'] } as const;

type CommandsOf = (files: {
  readonly script: string;
  readonly requestFile: string;
  readonly dump: string;
}) => readonly [before: string, toLine: (line: string) => string];

/** What each shell does first, and to complete a line. */
const COMMANDS: Readonly<Record<Shell, CommandsOf>> = {
  fish: ({ script }) => [`source ${script}`, (line) => `complete -C ${quoted(line)}`],
  bash: ({ script }) => [
    `set -eu; source ${script}; complete -p registrar > /dev/null`,
    (line) => {
      // As readline cuts it.
      const words = line.split(/ |(?==)|(?<==)/).map(quoted);
      return `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}
       _registrar registrar; printf '%s\\n' \${COMPREPLY[@]+"\${COMPREPLY[@]}"}`;
    },
  ],
  zsh: ({ script, requestFile, dump }) => [
    `zmodload zsh/zpty zsh/zselect
     zpty z zsh -f -i
     zpty -w z 'autoload -Uz compinit; compinit -u -d ${dump}; source ${script}; print rea""dy'
     zpty -r z said '*ready*'`,
    (line) => `zpty -w -n z ${quoted(line)}$'\\t'
     zpty -w -n z $'\\r'
     for ((i = 0; i < 3000; i++)); do [[ -s ${requestFile} ]] && break; zselect -t 2; done
     [[ -s ${requestFile} ]] && print -r -- "registrar $(<${requestFile})"
     rm -f ${requestFile}`,
  ],
};

/** What `registrar completion` prints for a shell; made once. */
async function scriptOf(shell: Shell): Promise<string> {
  const known = SCRIPTS.get(shell);
  if (known !== undefined) return known;
  const script = await printed(['completion', shell], { cwd: '/', env: {} });
  SCRIPTS.set(shell, script);
  return script;
}

async function printed(args: readonly string[], where: Pick<Place, 'cwd' | 'env'>): Promise<string> {
  let text = '';
  const io: Io = {
    out: (more) => {
      text += more;
    },
    err: () => {},
    isTerminal: false,
    ...where,
  };
  await runCommandLine(['node', 'registrar', ...args], io, {
    signal: new AbortController().signal,
    onReload: () => {},
    logTo: () => {},
  });
  return text;
}

const SCRIPTS = new Map<Shell, string>();

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
