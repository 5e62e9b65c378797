import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { ADDED_PATHS } from '../../config/platform-calls.js';
import { hostAddress } from '../../config/values/network/address.js';
import { OperatorError, withHint } from '../../domain/operator-error.js';
import { OPERATIONS } from '../../operations/registry.js';
import type { Surroundings } from '../context.js';
import { draftOf, type SetupDraft } from './init.js';
import type { SampleDoubts, SeenColumn } from './sample-doubts.js';
import {
  answerMistake,
  DATE_ORDERS,
  SCALES,
  type SetupAnswers,
  type TextAnswer,
  USUAL_VARIABLES,
} from './setup-answers.js';

/** One question that a set-up still has. */
export interface Question {
  /** What is asked, without question mark and default. */
  readonly prompt: string;
  /** What a person needs to know first; lines without line ends. */
  readonly about: readonly string[];
  /** What may be chosen; empty for a free text. `answer` is what stands for the choice. */
  readonly choices: readonly { readonly answer: string; readonly label: string }[];
  /** The answer of an empty line; null: there must be one. */
  readonly initial: string | null;
  /** What `initial` is called where the empty text is meant. */
  readonly initialLabel?: string;
  readonly isPath?: true;
  /** The answers with this one, or a sentence why it can't be used. */
  take(text: string): Promise<Taken>;
}

type Taken = { readonly answers: SetupAnswers } | { readonly mistake: string };

/**
 * The next question that answers leave open; null where nothing is open any more. Asked one after the other, each depends on
 * the answers before it.
 */
export async function nextQuestion(answers: SetupAnswers, around: Surroundings): Promise<Question | null> {
  const first = firstQuestion(answers, around);
  if (first !== null) return first;
  const draft = await draftOf({ answers, env: around.env });
  if (answers.source === undefined) {
    const about = ['A source is one kind of file. Its name is also its folder in inbox/.'];
    return textQuestion('source', 'Name of the source', { answers, around, initial: draft.source, about });
  }
  return sampleQuestion(answers, around, draft) ?? zoneQuestion(answers, around, draft);
}

/** The questions that no sample is needed for. */
function firstQuestion(answers: SetupAnswers, around: Surroundings): Question | null {
  const ask = (key: TextAnswer, prompt: string, initial: string | null, about: readonly string[] = []) =>
    answers[key] === undefined ? textQuestion(key, prompt, { answers, around, initial, about }) : null;
  const { baseUrl } = answers;
  return (
    ask('baseUrl', 'Address of the platform (baseUrl)', null, [
      'Such as https://platform.example. For registrar sandbox: http://127.0.0.1:8070.',
    ]) ??
    ask(
      'authUrl',
      'Token server URL (authUrl)',
      baseUrl === undefined ? null : hostAddress('baseUrl', baseUrl),
      [`With or without ${ADDED_PATHS.authUrl}.`],
    ) ??
    ask('clientIdEnv', 'Environment variable of the client id', USUAL_VARIABLES.clientIdEnv, [
      'Client id and secret are read from environment variables. Write their names, not their values.',
    ]) ??
    ask('clientSecretEnv', 'Environment variable of the client secret', USUAL_VARIABLES.clientSecretEnv) ??
    (answers.operation === undefined ? operationQuestion(answers, around) : null) ??
    (answers.sample === undefined ? fileQuestion(answers, around) : null)
  );
}

interface Asked {
  readonly answers: SetupAnswers;
  readonly around: Surroundings;
  readonly initial: string | null;
  readonly about?: readonly string[];
  readonly choices?: Question['choices'];
}

function textQuestion(
  key: TextAnswer,
  prompt: string,
  { answers, around, initial, about = [], choices = [] }: Asked,
): Question {
  return {
    prompt,
    about,
    choices,
    initial,
    take: async (text) => {
      const mistake = answerMistake(key, text, around.env);
      return mistake === null ? { answers: { ...answers, [key]: text } } : { mistake };
    },
  };
}

function operationQuestion(answers: SetupAnswers, around: Surroundings): Question {
  const choices = OPERATIONS.map(({ name }) => ({ answer: name, label: name }));
  const prompt = 'What should each row do on the platform?';
  return textQuestion('operation', prompt, { answers, around, initial: 'submit-completion', choices });
}

/** Asks for a sample, and reads it: a file that can't be read is asked for again. */
function fileQuestion(answers: SetupAnswers, around: Surroundings): Question {
  return {
    prompt: 'Path of a real export',
    about: ['Its columns are looked up and written into registrar.yaml. Nothing is sent.'],
    choices: [],
    initial: '',
    initialLabel: 'none',
    isPath: true,
    async take(text) {
      if (text === '') return { answers: { ...answers, sample: null } };
      const taken = { ...answers, sample: pathOf(text, around) };
      try {
        await draftOf({ answers: taken, env: around.env });
        return { answers: taken };
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        return { mistake: withHint(error.message, error.hint) };
      }
    },
  };
}

/** A path as a shell would understand it. */
function pathOf(text: string, { cwd, env }: Surroundings): string {
  const bare = text.replace(/^(['"])(.*)\1$/, '$2');
  const path = bare.replace(/^~(?=\/|$)/, () => env.HOME ?? homedir());
  return isAbsolute(path) ? path : resolve(cwd, path);
}

/** What the sample leaves in doubt. */
function sampleQuestion(answers: SetupAnswers, around: Surroundings, { read }: SetupDraft): Question | null {
  if (read === null) return null;
  const { doubts } = read;
  for (const doubt of doubts.columns) {
    const said = answers.columns[doubt.field];
    if (said === undefined) return columnQuestion(doubt, doubts.seen, answers);
    if (said === null && doubt.required && isOpen(doubt.field, answers)) {
      return valueQuestion({ ...doubt, value: null, choices: [] }, answers);
    }
  }
  for (const guess of doubts.defaults) if (isOpen(guess.field, answers)) return valueQuestion(guess, answers);
  if (doubts.dateOrder !== null && answers.dateOrder === undefined) {
    const about = [`The dates of ${columnText(doubts.dateOrder)} could be read in two ways.`];
    const choices = choicesOf(DATE_ORDERS);
    return textQuestion('dateOrder', 'Order of day and month', {
      answers,
      around,
      initial: null,
      about,
      choices,
    });
  }
  if (doubts.scale !== null && answers.scale === undefined) {
    const about = [`The scores of ${columnText(doubts.scale)} fit more than one scale.`];
    const choices = choicesOf(SCALES);
    return textQuestion('scale', 'Scale of the scores', { answers, around, initial: null, about, choices });
  }
  return null;
}

function isOpen(field: string, { defaults, leftOpen = [] }: SetupAnswers): boolean {
  return defaults[field] === undefined && !leftOpen.includes(field);
}

function columnQuestion(
  { field, header, required, reason }: SampleDoubts['columns'][number],
  seen: readonly SeenColumn[],
  answers: SetupAnswers,
): Question {
  const headers = seen.map((column) => column.header);
  return {
    prompt: `Column of ${field}`,
    about: [`${field}: ${reason}.${required ? '' : ' It may be left out.'}`],
    choices: [
      ...seen.map((column) => ({ answer: column.header, label: columnText(column) })),
      { answer: '', label: 'none of them' },
    ],
    initial: header ?? (required ? null : ''),
    initialLabel: header ?? 'none of them',
    async take(text) {
      const column = text === '' ? null : (headers.find((one) => one.trim() === text.trim()) ?? null);
      if (text !== '' && column === null) return { mistake: `the file has no column "${text}"` };
      if (headers.filter((one) => one === column).length > 1) {
        return { mistake: `the file has several columns "${text}"; rename them in the export first` };
      }
      return { answers: { ...answers, columns: { ...answers.columns, [field]: column } } };
    },
  };
}

function valueQuestion(
  { field, value, reason, choices }: SampleDoubts['defaults'][number],
  answers: SetupAnswers,
): Question {
  return {
    prompt: `${field} of all rows`,
    about: [`${field}: ${reason}.`],
    choices: choices.map((answer) => ({ answer, label: answer })),
    initial: value ?? '',
    initialLabel: value ?? 'decide later',
    async take(text) {
      if (text === '') return { answers: { ...answers, leftOpen: [...(answers.leftOpen ?? []), field] } };
      const choice = choices.find((one) => one.toLowerCase() === text.toLowerCase());
      if (choices.length > 0 && choice === undefined) {
        return { mistake: `"${text}" is none of ${choices.join(', ')}` };
      }
      return { answers: { ...answers, defaults: { ...answers.defaults, [field]: choice ?? text } } };
    },
  };
}

function zoneQuestion(
  answers: SetupAnswers,
  around: Surroundings,
  { read, timeZone }: SetupDraft,
): Question | null {
  const isNeeded = read === null ? answers.operation === 'submit-completion' : read.doubts.needsZone;
  if (!isNeeded || answers.timeZone !== undefined) return null;
  const about = ['Times in the files that name no zone are read in this one.'];
  return textQuestion('timeZone', 'Time zone of the files', { answers, around, initial: timeZone, about });
}

/** A column with some of its values. */
function columnText({ header, values }: SeenColumn): string {
  return values.length === 0 ? `${header} (empty)` : `${header} (${values.join(', ')})`;
}

function choicesOf(words: Readonly<Record<string, string>>): Question['choices'] {
  return Object.entries(words).map(([answer, label]) => ({ answer, label: `${answer}, ${label}` }));
}
