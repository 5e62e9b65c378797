import { dataFile } from '../config/values/data-file.js';
import type { Answer, Call, Command } from './command.js';
import { COMMON_OPTIONS, type Word, type Words, wordOf } from './options-of.js';

const SCRIPTS = dataFile<Readonly<Record<string, string>>>('texts/completion');

/** Completions of a word of a command line: words with a description each, or a path, which the shell itself completes. */
type Offers = readonly (readonly [word: string, about: string])[] | 'file' | 'folder';

/** Options that each command has, and that may come before the command too. */
const EVERYWHERE: Words = { ...COMMON_OPTIONS, '--help': 'how to use it' };

/** @param typed the words after the program's name, the last of which is being typed. */
function offersFor(typed: readonly string[], commands: readonly Command[]): Offers {
  const [words, current] = [typed.slice(0, -1), typed.at(-1) ?? ''];
  const command = commands.find(({ name }) => words.includes(name));
  const options: Words = { ...command?.options, ...EVERYWHERE };
  /** The option that this word names, if it takes a value. */
  const optionOf = (word = '') => Object.keys(options).find((option) => option.startsWith(`${word} <`));
  const isOption = (word: string) => word.startsWith('-');
  const inputs = words.filter((word, index) => !isOption(word) && !optionOf(words[index - 1]));
  const option = optionOf(words.at(-1));
  const expected = (): Offers => {
    if (option) return valuesOf(option, options[option]);
    if (isOption(current))
      return Object.entries(options).map(([flags, about]) => [
        flags.replace(/ .*/, ''),
        wordOf(about).description ?? '',
      ]);
    if (inputs.length === 0) return commands.map(({ name, description }) => [name, description]);
    const [input, about] = Object.entries(command?.inputs ?? {})[inputs.length - 1] ?? ['', ''];
    return valuesOf(input, about);
  };
  const offers = expected();
  return typeof offers === 'string' ? offers : offers.filter(([word]) => word.startsWith(current));
}

function valuesOf(flags: string, about: string | Word = ''): Offers {
  const { choices } = wordOf(about);
  if (choices !== undefined) return choices.map((name) => [name, '']);
  if (/[<[]file[>\]]/.test(flags)) return 'file';
  return /[<[]dir[>\]]/.test(flags) ? 'folder' : [];
}

export async function answer({ inputs: [what = '', ...words], commands }: Call): Promise<Answer> {
  if (what !== 'offers') {
    const script = SCRIPTS()[what] ?? '';
    return { document: () => ({ script, offers: null }), text: () => script };
  }
  const offers = offersFor(
    words.map((word) => word ?? ''),
    commands,
  );
  const lines =
    typeof offers === 'string' ? [`:${offers}`] : offers.map((offer) => offer.join('  ').trimEnd());
  return {
    document: () => ({ script: null, offers: lines }),
    text: () => lines.map((line) => `${line}\n`).join(''),
  };
}
