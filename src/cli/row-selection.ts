import type { OperatorError } from '../domain/operator-error.js';
import {
  readSelection,
  type Selectable,
  type Selection,
  type SelectionMistake,
} from '../domain/selection.js';
import { isoTime, wholeNumber } from './option-values.js';
import type { OptionsOf, Words } from './options-of.js';
import { wrongUse } from './wrong-use.js';

/** The options by which a person names the rows of a decision. */
export type RowOptions = OptionsOf<{ options: ReturnType<typeof rowOptions> }>;

/** The options that name rows, the same for every command that decides about rows. */
export function rowOptions({ states }: Selectable) {
  return {
    '--all': 'everything that needs attention',
    '--state <list>': `of these states: ${states.join(', ')}`,
    '--reason <code>': 'with this cause, as reports show it',
    '--learner <id>': 'of this learner',
    '--content <id>': 'of this content',
    '--file <name>': 'from drops with this file name',
    '--run <n>': { description: 'of this run', parse: wholeNumber },
    '--since <time>': { description: 'from drops taken in from this day or time (UTC) on', parse: isoTime },
    '--until <time>': { description: 'from drops taken in before this day or time (UTC)', parse: isoTime },
    '--row <id...>': 'these rows: a submission by its number, a line as FILE:LINE',
    '--because <text>': 'why, for the record',
  } as const satisfies Words;
}

/** The rows that the options name; null where they name none. Throws OperatorError for an impossible selection. */
export function namedRows(options: RowOptions, selectable: Selectable): Selection | null {
  const { all, state, reason, learner, content, file, run, since, until, row } = options;
  const states = state?.split(',').map((name) => name.trim());
  const value = { all, states, cause: reason, learner, content, file, run, since, until, rows: row };
  if (Object.values(value).every((one) => one === undefined)) return null;
  const read = readSelection(value, selectable);
  if ('selection' in read) return read.selection;
  throw wrongOption(read.mistakes);
}

/** The rows that the options name, for a command that needs some. Throws OperatorError where they name none. */
export function requiredRows(command: string, options: RowOptions, selectable: Selectable): Selection {
  const named = namedRows(options, selectable);
  if (named !== null) return named;
  throw wrongUse(
    command,
    `${command} needs to know which rows`,
    'Name them with --state, --reason, --learner, --content, --file, --run, --since, --until or --row, or take --all.',
  );
}

/** The options whose names differ from a selection's members. */
const OPTION_OF: Readonly<Record<string, string>> = { states: 'state', cause: 'reason', rows: 'row' };

function wrongOption([first]: readonly SelectionMistake[]): OperatorError {
  const { field = '', problem = '', hint = '' } = first ?? {};
  const option = `--${OPTION_OF[field ?? ''] ?? field}`;
  return wrongUse(option, `${option} ${problem}`, hint);
}
