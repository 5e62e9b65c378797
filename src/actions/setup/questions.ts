import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { ADDED_PATHS } from '../../config/platform-calls.js';
import { hostAddress } from '../../config/values/network/address.js';
import { OperatorError, withHint } from '../../domain/operator-error.js';
import { OPERATIONS } from '../../operations/registry.js';
import type { ProcessContext } from '../context.js';
import { draftOf } from './init.js';
import type { OpenQuestions, SampleColumn } from './open-questions.js';
import {
  answerMistake,
  DATE_ORDERS,
  DEFAULT_VARIABLES,
  SCALES,
  type SetupAnswers,
  type TextAnswer,
} from './setup-answers.js';

export interface Question {
  readonly prompt: string;
  readonly about?: string;
  /** The choices; absent for a free text. `answer` represents the choice. */
  readonly choices?: readonly { readonly answer: string; readonly label: string }[];
  /** The answer of an empty line; null: there must be one. */
  readonly initial: string | null;
  /** The answers with this one, or a sentence why it can't be used. */
  take(text: string): Promise<Reply>;
}

type Reply = { readonly answers: SetupAnswers } | { readonly mistake: string };

/** The next question that answers leave open; null: none. One at a time, because each depends on the answers before it. */
export async function nextQuestion(answers: SetupAnswers, around: ProcessContext): Promise<Question | null> {
  const ask = (
    key: TextAnswer | 'dateOrder' | 'scale',
    prompt: string,
    initial: string | null,
    more: Pick<Question, 'about' | 'choices'> = {},
  ): Question | null =>
    answers[key] === undefined
      ? {
          prompt,
          initial,
          ...more,
          take: async (text) => {
            const mistake =
              key === 'dateOrder' || key === 'scale' ? null : answerMistake(key, text, around.env);
            return mistake === null ? { answers: { ...answers, [key]: text } } : { mistake };
          },
        }
      : null;
  const { baseUrl } = answers;
  const withoutSample =
    ask('baseUrl', 'Address of the platform (baseUrl)', null, {
      about: 'Such as https://platform.example. For registrar sandbox: http://127.0.0.1:8070.',
    }) ??
    ask('authUrl', 'Token server URL (authUrl)', baseUrl ? hostAddress('baseUrl', baseUrl) : null, {
      about: `With or without ${ADDED_PATHS.authUrl}.`,
    }) ??
    ask('clientIdEnv', 'Environment variable of the client id', DEFAULT_VARIABLES.clientIdEnv, {
      about: 'Client id and secret are read from environment variables. Write their names, not their values.',
    }) ??
    ask('clientSecretEnv', 'Environment variable of the client secret', DEFAULT_VARIABLES.clientSecretEnv) ??
    ask('operation', 'What should each row do on the platform?', 'submit-completion', {
      choices: OPERATIONS.map(({ name }) => ({ answer: name, label: name })),
    }) ??
    (answers.sample === undefined ? fileQuestion(answers, around) : null);
  if (withoutSample !== null) return withoutSample;
  const { read, source, timeZone } = await draftOf({ answers, env: around.env });
  const { questions } = read ?? {};
  const needsZone = questions?.needsZone ?? answers.operation === 'submit-completion';
  return (
    ask('source', 'Name of the source', source, {
      about: 'A source is one kind of file. Its name is also its folder in inbox/.',
    }) ??
    (questions ? columnOrValueQuestion(answers, questions) : null) ??
    (questions?.dateOrder
      ? ask('dateOrder', 'Order of day and month', null, {
          about: `The dates of ${columnText(questions.dateOrder)} could be read in two ways.`,
          choices: choicesOf(DATE_ORDERS),
        })
      : null) ??
    (questions?.scale
      ? ask('scale', 'Scale of the scores', null, {
          about: `The scores of ${columnText(questions.scale)} fit more than one scale.`,
          choices: choicesOf(SCALES),
        })
      : null) ??
    (needsZone
      ? ask('timeZone', 'Time zone of the files', timeZone, {
          about: 'Times in the files that name no zone are read in this one.',
        })
      : null)
  );
}

/** Prompts for a sample and reads it, again while a file can't be read. */
function fileQuestion(answers: SetupAnswers, around: ProcessContext): Question {
  return {
    prompt: 'Path of a real export',
    about:
      'Its columns are looked up and written into registrar.yaml. Nothing is sent. Press Enter for none.',
    initial: '',
    async take(text) {
      const changed = { ...answers, sample: text === '' ? null : pathOf(text, around) };
      try {
        await draftOf({ answers: changed, env: around.env });
        return { answers: changed };
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return { mistake: withHint(error.message, error.hint) };
      }
    },
  };
}

function pathOf(text: string, { cwd, env }: ProcessContext): string {
  const bare = text.replace(/^(['"])(.*)\1$/, '$2');
  const path = bare.replace(/^~(?=\/|$)/, () => env.HOME ?? homedir());
  return isAbsolute(path) ? path : resolve(cwd, path);
}

function columnOrValueQuestion(answers: SetupAnswers, questions: OpenQuestions): Question | null {
  const { columns, defaults, leftOpen = [] } = answers;
  const isOpen = (field: string) => defaults[field] === undefined && !leftOpen.includes(field);
  for (const open of questions.columns) {
    const column = columns[open.field];
    if (column === undefined) return columnQuestion(open, questions.sampleColumns, answers);
    if (column === null && open.required && isOpen(open.field))
      return valueQuestion({ ...open, value: null, choices: [] }, answers);
  }
  const guess = questions.defaults.find(({ field }) => isOpen(field));
  return guess === undefined ? null : valueQuestion(guess, answers);
}

function columnQuestion(
  { field, header, required, reason }: OpenQuestions['columns'][number],
  columns: readonly SampleColumn[],
  answers: SetupAnswers,
): Question {
  return {
    prompt: `Column of ${field}`,
    about: `${field}: ${reason}.${required ? '' : ' It may be left out.'}`,
    choices: [
      ...columns.map((column) => ({ answer: column.header, label: columnText(column) })),
      { answer: '', label: 'none of them' },
    ],
    initial: header ?? (required ? null : ''),
    async take(text) {
      if (text !== '' && columns.filter((column) => column.header === text).length !== 1)
        return { mistake: `the file has several columns "${text}"; rename them in the export first` };
      return { answers: { ...answers, columns: { ...answers.columns, [field]: text || null } } };
    },
  };
}

function valueQuestion(
  { field, value, reason, choices }: OpenQuestions['defaults'][number],
  answers: SetupAnswers,
): Question {
  return {
    prompt: `${field} of all rows`,
    about: `${field}: ${reason}.${value === null && choices.length === 0 ? ' Press Enter to decide later.' : ''}`,
    ...(choices.length > 0
      ? { choices: [...choices.map((answer) => ({ answer, label: answer })), LATER] }
      : {}),
    initial: value ?? '',
    async take(text) {
      if (text === '') return { answers: { ...answers, leftOpen: [...(answers.leftOpen ?? []), field] } };
      const choice = choices.find((candidate) => candidate.toLowerCase() === text.toLowerCase());
      if (choices.length > 0 && choice === undefined)
        return { mistake: `"${text}" is not one of ${choices.join(', ')}` };
      return { answers: { ...answers, defaults: { ...answers.defaults, [field]: choice ?? text } } };
    },
  };
}

const LATER = { answer: '', label: 'decide later' };

function columnText({ header, values }: SampleColumn): string {
  return values.length === 0 ? `${header} (empty)` : `${header} (${values.join(', ')})`;
}

function choicesOf(words: Readonly<Record<string, string>>): NonNullable<Question['choices']> {
  return Object.entries(words).map(([answer, label]) => ({ answer, label: `${answer}, ${label}` }));
}
