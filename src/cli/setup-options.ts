import { resolve } from 'node:path';
import {
  optionOf,
  type SetupAnswers,
  TEXT_ANSWERS,
  type TextAnswer,
  wrongOption,
} from '../actions/setup/setup-answers.js';
import { shellWord } from '../report/text/command-line.js';
import type { setUp } from './facts/set-up.js';
import type { OptionsOf } from './options-of.js';

/** The answers that options give. Throws OperatorError where one isn't written as it must be. */
export function answersOf(options: OptionsOf<typeof setUp.init>, cwd: string): SetupAnswers {
  const texts = TEXT_ANSWERS.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]]));
  const columns = pairs('--column', options.column).map(([field, header]) => [field, header || null]);
  return {
    ...(Object.fromEntries(texts) as Partial<Record<TextAnswer, string>>),
    ...(options.sample === undefined ? {} : { sample: resolve(cwd, options.sample) }),
    columns: Object.fromEntries(columns),
    defaults: Object.fromEntries(pairs('--default', options.default)),
  };
}

function pairs(option: string, given: readonly string[] = []): [string, string][] {
  return given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw wrongOption(option, `"${text}" has no = between field and value, as in user-id=Mail`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

/** The command line that makes the same workspace without a question. */
export function commandFor(folder: string, answers: SetupAnswers): string {
  const texts = TEXT_ANSWERS.map((key) => [optionOf(key), answers[key]] as const);
  const pairsOf = (option: string, given: Readonly<Record<string, string | null>>) =>
    Object.entries(given).map(([field, value]) => [option, `${field}=${value ?? ''}`] as const);
  const options = [
    ['--workspace', folder] as const,
    ['--sample', answers.sample ?? undefined] as const,
    ...texts,
    ...pairsOf('--column', answers.columns),
    ...pairsOf('--default', answers.defaults),
  ];
  const words = options.flatMap(([option, value]) =>
    value === undefined ? [] : [`${option} ${shellWord(value)}`],
  );
  return ['registrar init --yes', ...words].join(' ');
}
