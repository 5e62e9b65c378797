import { nameSchema } from '../../config/schema/value-schemas.js';
import { addressMistake } from '../../config/values/network/address.js';
import { timeZoneMistake } from '../../config/values/time-zone.js';
import { OperatorError } from '../../domain/operator-error.js';
import { OPERATIONS } from '../../operations/registry.js';
import { SCORE_SCALES } from '../../operations/score-scales.js';

/**
 * What a person has said about a new workspace, by options or when asked. What is absent is still open: a question on a
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
  /** The name of the source. */
  readonly source?: string;
  readonly timeZone?: string;
  readonly dateOrder?: string;
  readonly scale?: string;
  /** field: header of the sample; null: no column is this field. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** field: the value of all rows. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Fields whose value a person who was asked has left open. */
  readonly leftOpen?: readonly string[];
}

/** The answers that are one text, with the option of each. */
export const ANSWER_OPTIONS = {
  baseUrl: '--base-url',
  authUrl: '--auth-url',
  clientIdEnv: '--client-id-env',
  clientSecretEnv: '--client-secret-env',
  operation: '--operation',
  source: '--source',
  timeZone: '--time-zone',
  dateOrder: '--date-order',
  scale: '--scale',
} as const satisfies Partial<Record<keyof SetupAnswers, string>>;

/** An answer that is one text. */
export type TextAnswer = keyof typeof ANSWER_OPTIONS;

/** What date orders and scales there are, with the words for each. */
export const DATE_ORDERS = {
  'day-first': '31.12.2025: the day comes first',
  'month-first': '12/31/2025: the month comes first',
} as const;

export const SCALES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SCORE_SCALES).map(([scale, { worst, best }]) => [scale, `from ${worst} to ${best}`]),
);

/** The variables of the credentials, where nobody names others. */
export const USUAL_VARIABLES = {
  clientIdEnv: 'REGISTRAR_CLIENT_ID',
  clientSecretEnv: 'REGISTRAR_CLIENT_SECRET',
} as const;

/** The variables from which the credentials are read. */
export function variablesOf({ clientIdEnv, clientSecretEnv }: SetupAnswers): readonly string[] {
  return [clientIdEnv ?? USUAL_VARIABLES.clientIdEnv, clientSecretEnv ?? USUAL_VARIABLES.clientSecretEnv];
}

/**
 * What is wrong with an answer, as a sentence without full stop; null when nothing is. The same rules as for
 * registrar.yaml. No sentence shows what may be a secret.
 * @param env the variables that are set: one of them may have any name.
 */
export function answerMistake(
  key: TextAnswer,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const mistake = rulesOf(key, text, env);
  return mistake === null ? null : mistake.showValue ? `"${text}" ${mistake.text}` : `it ${mistake.text}`;
}

function rulesOf(
  key: TextAnswer,
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly showValue: boolean } | null {
  switch (key) {
    case 'baseUrl':
    case 'authUrl':
      return addressMistake(text);
    case 'clientIdEnv':
    case 'clientSecretEnv':
      return /^[A-Z_][A-Z0-9_]*$/.test(text) || isSet(env, text)
        ? null
        : {
            text: `is not an environment variable that is set. Enter a name such as ${USUAL_VARIABLES[key]}, not the value itself`,
            showValue: false,
          };
    case 'timeZone':
      return shown(timeZoneMistake(text));
    case 'source':
      return shown(nameSchema.safeParse(text).error?.issues[0]?.message ?? null);
    case 'operation':
      return shown(
        oneOf(
          text,
          OPERATIONS.map(({ name }) => name),
        ),
      );
    case 'dateOrder':
      return shown(oneOf(text, Object.keys(DATE_ORDERS)));
    case 'scale':
      return shown(oneOf(text, Object.keys(SCALES)));
  }
}

/** Throws OperatorError for the first answer that is wrong, with the option that gives it. */
export function requireAnswers(
  answers: SetupAnswers,
  env: Readonly<Record<string, string | undefined>>,
): void {
  for (const [key, option] of Object.entries(ANSWER_OPTIONS) as [TextAnswer, string][]) {
    const text = answers[key];
    const mistake = text === undefined ? null : answerMistake(key, text, env);
    if (mistake !== null) throw wrongOption(option, mistake);
  }
}

/** An option of a set-up whose value can't be used. */
export function wrongOption(option: string, mistake: string): OperatorError {
  return new OperatorError({
    operation: 'read the options',
    subject: option,
    message: `${option}: ${mistake}`,
    hint: 'Nothing was written. Give the option another value, or leave it out.',
  });
}

function isSet(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && env[name] !== undefined;
}

function oneOf(text: string, choices: readonly string[]): string | null {
  return choices.includes(text) ? null : `is none of ${choices.join(', ')}`;
}

function shown(text: string | null) {
  return text === null ? null : { text, showValue: true };
}
