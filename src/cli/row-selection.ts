import type { Selectable, Selection } from '../domain/selection.js';
import { selectionIn } from '../domain/text/selection-text.js';
import type { OptionsOf, Words } from './options-of.js';
import { usageError } from './usage-error.js';

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
    '--run <n>': 'of this run',
    '--since <time>': 'from drops imported from this day or time (UTC) on',
    '--until <time>': 'from drops imported before this day or time (UTC)',
    '--row <id...>': 'these rows: a submission by its number, a line as FILE:LINE',
  } as const satisfies Words;
}

/** The rows that the options name; null where they name none. Throws OperatorError for an impossible selection. */
export function namedRows(options: RowOptions, selectable: Selectable): Selection | null {
  const { state: states, reason: cause, row: rows, ...others } = options;
  const { all, learner, content, file, run, since, until } = others;
  const texts = { all, states, cause, learner, content, file, run, since, until, rows };
  return selectionIn(texts, selectable, (member) => `--${OPTION_OF[member] ?? member}`);
}

/** The rows that the options name, for a command that needs some. Throws OperatorError where they name none. */
export function requiredRows(command: string, options: RowOptions, selectable: Selectable): Selection {
  const selection = namedRows(options, selectable);
  if (selection !== null) return selection;
  throw usageError(
    command,
    `${command} needs to know which rows`,
    'Name them with --state, --reason, --learner, --content, --file, --run, --since, --until or --row, or take --all.',
  );
}

/** The options whose names differ from a selection's members. */
const OPTION_OF: Readonly<Record<string, string>> = { states: 'state', cause: 'reason', rows: 'row' };
