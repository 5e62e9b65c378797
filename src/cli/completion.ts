import { readWorkspace } from '../actions/context.js';
import { dataFile } from '../config/values/data-file.js';
import { OperatorError } from '../domain/operator-error.js';
import type { Answer, Call, Command } from './command.js';
import { COMMON_OPTIONS, type Word, type Words } from './options-of.js';

const SCRIPTS = dataFile<Readonly<Record<string, string>>>('texts/completion');

/** Completions of a word of a command line: words with a description each, or a path, which the shell itself completes. */
type Offers = readonly (readonly [word: string, about: string])[] | 'file' | 'folder';

type NamesOf = (what: 'sources' | 'environments') => readonly string[];

/** Options that each command has, and that may come before the command too. */
const EVERYWHERE: Words = { ...COMMON_OPTIONS, '--help': 'how to use it' };

function offersFor(words: readonly string[], commands: readonly Command[], namesOf: NamesOf): Offers {
  const current = words.at(-1) ?? '';
  const offers = expectedAfter(words.slice(0, -1), current.startsWith('-'), commands, namesOf);
  if (typeof offers === 'string') return offers;
  return offers.filter(([word]) => word.startsWith(current));
}

/** @param isOption whether an option is being typed. */
function expectedAfter(
  words: readonly string[],
  isOption: boolean,
  commands: readonly Command[],
  namesOf: NamesOf,
): Offers {
  let command: Command | null | undefined;
  let inputCount = 0;
  /** The option whose value comes next. */
  let flags: string | undefined;
  const options = (): Words => ({ ...command?.options, ...EVERYWHERE });
  const ends = (isNextOption: boolean) => flags === undefined || (flags.endsWith('...>') && isNextOption);
  for (const word of words) {
    if (!ends(word.startsWith('-'))) {
      if (!flags?.endsWith('...>')) flags = undefined;
    } else if (word.startsWith('-'))
      flags = Object.keys(options()).find((option) => option.startsWith(`${word} <`));
    else if (command === undefined) command = commands.find(({ name }) => name === word) ?? null;
    else inputCount += 1;
  }
  if (!ends(isOption)) return valuesOf(flags ?? '', options()[flags ?? ''], namesOf);
  if (isOption)
    return Object.entries(options()).map(([option, about]) => [option.replace(/ .*/, ''), aboutOf(about)]);
  if (command === undefined) return commands.map(({ name, description }) => [name, description]);
  const [name, about] = Object.entries(command?.inputs ?? {})[inputCount] ?? ['', ''];
  return valuesOf(name, about, namesOf);
}

function valuesOf(flags: string, about: string | Word | undefined, namesOf: NamesOf): Offers {
  const plain = (names: readonly string[]): Offers => names.map((name) => [name, '']);
  if (typeof about === 'object' && about.choices !== undefined) return plain(about.choices);
  if (/[<[]file[>\]]/.test(flags)) return 'file';
  if (/[<[]dir[>\]]/.test(flags)) return 'folder';
  if (/^--source |<source/.test(flags)) return plain(namesOf('sources'));
  return flags.startsWith('--environment ') ? plain(namesOf('environments')) : [];
}

function aboutOf(about: string | Word): string {
  return typeof about === 'string' ? about : (about.description ?? '');
}

export async function answer({ inputs: [what = '', ...words], io, commands }: Call): Promise<Answer> {
  if (what !== 'offers') {
    const script = SCRIPTS()[what] ?? '';
    return { document: () => ({ script, offers: null }), text: () => script };
  }
  const namesOf: NamesOf = (names) => {
    try {
      const { sources, environments } = readWorkspace(undefined, io, 'unused').config;
      return names === 'sources' ? sources.map(({ name }) => name) : Object.keys(environments);
    } catch (error) {
      if (error instanceof OperatorError) return [];
      throw error;
    }
  };
  const offers = offersFor(
    words.map((word) => word ?? ''),
    commands,
    namesOf,
  );
  const lines =
    typeof offers === 'string' ? [`:${offers}`] : offers.map((offer) => offer.join('  ').trimEnd());
  return {
    document: () => ({ script: null, offers: lines }),
    text: () => lines.map((line) => `${line}\n`).join(''),
  };
}
