import type { Environment } from '../../config/env-references.js';
import { nameSchema } from '../../config/schema/value-schemas.js';
import { addressMistake } from '../../config/values/network/address.js';
import { timeZoneMistake } from '../../config/values/time-zone.js';
import { errorsOf } from '../../domain/operator-error.js';
import { OPERATIONS } from '../../operations/registry.js';
import { SCORE_SCALES } from '../../operations/score-scales.js';

/**
 * A person's answers about a new workspace, by options or at prompts. What is absent is still open: a question on a
 * terminal, else a guess that registrar.yaml marks.
 */
export interface SetupAnswers {
  readonly baseUrl?: string;
  readonly authUrl?: string;
  /** Names of environment variables, never their values. */
  readonly clientIdEnv?: string;
  readonly clientSecretEnv?: string;
  /** A real export, absolute; null: there is none. */
  readonly sample?: string | null;
  readonly operation?: string;
  readonly source?: string;
  readonly timeZone?: string;
  readonly dateOrder?: string;
  readonly scale?: string;
  /** field: header of the sample; null: no column is this field. */
  readonly columns: Readonly<Record<string, string | null>>;
  readonly defaults: Readonly<Record<string, string>>;
  /** Fields whose value a person has left open at a prompt. */
  readonly leftOpen?: readonly string[];
}

export const TEXT_ANSWERS = [
  'baseUrl',
  'authUrl',
  'clientIdEnv',
  'clientSecretEnv',
  'operation',
  'source',
  'timeZone',
] as const satisfies (keyof SetupAnswers)[];

export type TextAnswer = (typeof TEXT_ANSWERS)[number];

/** What date orders and scales there are, with the words for each. */
export const DATE_ORDERS = {
  'day-first': '31.12.2025: the day comes first',
  'month-first': '12/31/2025: the month comes first',
} as const;

export const SCALES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SCORE_SCALES).map(([scale, { worst, best }]) => [scale, `from ${worst} to ${best}`]),
);

export const DEFAULT_VARIABLES = {
  clientIdEnv: 'REGISTRAR_CLIENT_ID',
  clientSecretEnv: 'REGISTRAR_CLIENT_SECRET',
} as const;

export function variablesOf({ clientIdEnv, clientSecretEnv }: SetupAnswers): readonly string[] {
  return [clientIdEnv ?? DEFAULT_VARIABLES.clientIdEnv, clientSecretEnv ?? DEFAULT_VARIABLES.clientSecretEnv];
}

/**
 * What is wrong with an answer, as a sentence without full stop; null when nothing is. The same rules as for
 * registrar.yaml. No sentence shows what may be a secret.
 * @param env the variables that are set: one of them may have any name.
 */
export function answerMistake(key: TextAnswer, text: string, env: Environment): string | null {
  if (key === 'baseUrl' || key === 'authUrl') {
    const mistake = addressMistake(text);
    return mistake && `it ${mistake}`;
  }
  if (key === 'clientIdEnv' || key === 'clientSecretEnv') {
    const isSet = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && env[text] !== undefined;
    return isSet || /^[A-Z_][A-Z0-9_]*$/.test(text)
      ? null
      : `there is no environment variable of this name. Enter a name such as ${DEFAULT_VARIABLES[key]}, not the value itself`;
  }
  const mistake = MISTAKES[key](text);
  return mistake === null ? null : `"${text}" ${mistake}`;
}

const MISTAKES = {
  timeZone: timeZoneMistake,
  source: (text: string) => nameSchema.safeParse(text).error?.issues[0]?.message ?? null,
  operation: (text: string) => {
    const names = OPERATIONS.map(({ name }) => name);
    return names.includes(text) ? null : `is not one of ${names.join(', ')}`;
  },
};

/** Throws OperatorError for the first answer that is wrong, with the option that gives it. */
export function requireAnswers(answers: SetupAnswers, env: Environment): void {
  for (const key of TEXT_ANSWERS) {
    const text = answers[key];
    const mistake = text === undefined ? null : answerMistake(key, text, env);
    if (mistake === null) continue;
    const option = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const hint = 'Nothing was written. Give the option another value, or leave it out.';
    throw errorsOf('read the options')(option, `${option}: ${mistake}`, hint);
  }
}
