import type { CommandFacts } from './command.js';
import { COMMON_OPTIONS, type Word, type Words } from './options-of.js';

/** Completions of a word of a command line: words with a description each, or a path, which the shell itself completes. */
export type Offers = readonly (readonly [word: string, about: string])[] | 'file' | 'folder';

/** The names that registrar.yaml gives; `workspace`: the folder that the command line names. */
export type NamesOf = (what: 'sources' | 'environments', workspace: string | undefined) => readonly string[];

/** Options that each command has, and that may come before the command too. */
const EVERYWHERE: Words = { ...COMMON_OPTIONS, '--help': 'how to use it' };

/** What a shell offers for the last of these words, which follow `registrar`. */
export function offersFor(
  typed: readonly string[],
  commands: readonly CommandFacts[],
  namesOf: NamesOf,
): Offers {
  // A shell gives --option=value as one word or as three.
  const words = typed.flatMap((word, index) => {
    if (word === '=') return index === typed.length - 1 ? [''] : [];
    return /^--[\w-]+=/.exec(word) ? [word.replace(/=.*/s, ''), word.replace(/^[^=]*=/, '')] : [word];
  });
  const lead = /^--[\w-]+=/.exec(typed.at(-1) ?? '')?.[0] ?? '';
  const current = words.at(-1) ?? '';
  const offers = expectedAfter(words.slice(0, -1), current.startsWith('-'), commands, namesOf);
  if (typeof offers === 'string') return offers;
  return offers
    .filter(([word]) => word.startsWith(current))
    .map(([word, about]) => [`${lead}${word}`, about]);
}

/** @param isOption whether an option is being typed. */
function expectedAfter(
  words: readonly string[],
  isOption: boolean,
  commands: readonly CommandFacts[],
  namesOf: NamesOf,
): Offers {
  let command: CommandFacts | null | undefined;
  let given = 0;
  let workspace: string | undefined;
  /** The option whose value comes next. */
  let flags: string | undefined;
  const options = (): Words => ({ ...command?.options, ...EVERYWHERE });
  const ends = (isNextOption: boolean) => flags === undefined || (flags.endsWith('...>') && isNextOption);
  for (const word of words) {
    if (!ends(word.startsWith('-'))) {
      if (flags?.startsWith('--workspace ')) workspace = word;
      if (!flags?.endsWith('...>')) flags = undefined;
    } else if (word.startsWith('-'))
      flags = Object.keys(options()).find((one) => one.startsWith(`${word} <`));
    else if (command === undefined) command = commands.find(({ name }) => name === word) ?? null;
    else given += 1;
  }
  if (!ends(isOption)) return valuesOf(flags ?? '', options()[flags ?? ''], workspace, namesOf);
  if (isOption)
    return Object.entries(options()).map(([one, about]) => [one.replace(/ .*/, ''), aboutOf(about)]);
  if (command === undefined) return commands.map(({ name, description }) => [name, description]);
  const [name, about] = Object.entries(command?.inputs ?? {})[given] ?? ['', ''];
  return valuesOf(name, about, workspace, namesOf);
}

function valuesOf(
  flags: string,
  about: string | Word | undefined,
  workspace: string | undefined,
  namesOf: NamesOf,
): Offers {
  const plain = (names: readonly string[]): Offers => names.map((name) => [name, '']);
  if (typeof about === 'object' && about.choices !== undefined) return plain(about.choices);
  if (/[<[]file[>\]]/.test(flags)) return 'file';
  if (/[<[]dir[>\]]/.test(flags)) return 'folder';
  if (/^--source |<source/.test(flags)) return plain(namesOf('sources', workspace));
  return flags.startsWith('--environment ') ? plain(namesOf('environments', workspace)) : [];
}

function aboutOf(about: string | Word): string {
  return typeof about === 'string' ? about : (about.description ?? '');
}
