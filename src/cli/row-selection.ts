import type { Command } from 'commander';
import { learnersNamed } from '../actions/learners/learners-named.js';
import { OperatorError } from '../domain/operator-error.js';
import type { State } from '../domain/submission.js';
import type { Ledger } from '../ledger/query.js';
import { latestRun, runStartedAt } from '../ledger/runs.js';
import { type Selection, select } from '../ledger/selection.js';
import { statesOfNumbers } from '../ledger/states-of-numbers.js';
import { dropsNamed } from '../ledger/traced-rows.js';
import type { CommonOptions } from './io.js';
import { isoTime } from './iso-time.js';
import type { SelectionShown } from './print-selected.js';
import { wholeNumber } from './whole-number.js';

/** How a person names the submissions of a decision. */
export interface RowOptions extends CommonOptions {
  readonly all?: boolean;
  readonly state?: string;
  readonly reason?: string;
  readonly learner?: string;
  readonly content?: string;
  readonly file?: string;
  readonly run?: number;
  readonly since?: string;
  readonly until?: string;
  readonly row?: readonly number[];
  readonly dryRun?: boolean;
  readonly because?: string;
}

/** Which states a decision can be about. */
export interface SelectableStates {
  /** In the past tense, for a sentence: `rerun`, `dismissed`. */
  readonly done: string;
  readonly allowed: readonly State[];
  /** Those meant when none is named. */
  readonly usual: readonly State[];
}

/** The options with which rows are named, alike for every command that decides about rows. */
export function addRowOptions(command: Command, states: SelectableStates): Command {
  return command
    .option('--all', 'everything that needs attention')
    .option('--state <list>', `of these states: ${states.allowed.join(', ')}`)
    .option('--reason <code>', 'with this cause, as reports show it')
    .option('--learner <id>', 'of this learner')
    .option('--content <id>', 'of this content')
    .option('--file <name>', 'from drops with this file name')
    .option('--run <n>', 'of this run', wholeNumber)
    .option('--since <time>', 'from drops taken in from this day or time (UTC) on', isoTime)
    .option('--until <time>', 'from drops taken in before this day or time (UTC)', isoTime)
    .option('--row <id...>', 'these submissions, by number', (text: string, before: number[] = []) => [
      ...before,
      wholeNumber(text),
    ])
    .option('--because <text>', 'why, for the record');
}

/** The selection that the options name. Throws OperatorError when they name a state that can't be. */
function selectionOf(options: RowOptions, states: SelectableStates, ledger: Ledger): Selection {
  return {
    states: parseStates(options.state, states),
    reason: options.reason,
    learners:
      options.learner === undefined
        ? undefined
        : learnersNamed(ledger, options.learner).map(({ hash }) => hash),
    content: options.content,
    fileName: options.file,
    runId: options.run,
    since: options.since,
    until: options.until,
    submissionIds: options.row,
  };
}

/** What a decision keeps of the options; a learner's identifier is not among it. */
export function recordedOptions({ learner, ...options }: RowOptions): Record<string, unknown> {
  const { all, state, reason, content, file, run, since, until, row } = options;
  return { all, state, reason, content, file, run, since, until, row, byLearner: learner !== undefined };
}

/** Throws OperatorError when nothing says which rows are meant. */
export function requireSelection(command: string, options: RowOptions): void {
  const { all, state, reason, learner, content, file, run, since, until, row } = options;
  const named = [state, reason, learner, content, file, run, since, until, row].some(
    (value) => value !== undefined,
  );
  if (all || named) return;
  throw new OperatorError({
    operation: 'choose rows',
    subject: command,
    message: `${command} needs to know which rows`,
    hint: 'Name them with --state, --reason, --learner, --content, --file, --run, --since, --until or --row, or take --all.',
  });
}

/**
 * The submissions that the options name, and of those named by number the ones that can't be in their state. Throws
 * OperatorError for what doesn't exist: a number, a run, a file.
 */
export function selectRows(
  ledger: Ledger,
  options: RowOptions,
  states: SelectableStates,
): Pick<SelectionShown, 'selected' | 'leftOut'> {
  const { row = [], run, file } = options;
  const known = statesOfNumbers(ledger, row);
  const missing = row.filter((id) => !known.has(id));
  if (missing.length > 0) {
    throw unknown(
      '--row',
      `there is no submission ${missing.join(', ')}`,
      'Reports and --dry-run show them.',
    );
  }
  if (run !== undefined && runStartedAt(ledger, run) === null) {
    throw unknown('--run', `there is no run ${run}`, latestText(latestRun(ledger)));
  }
  if (file !== undefined && dropsNamed(ledger, file).length === 0) {
    throw unknown('--file', `no file has come in as ${file}`, 'See registrar report for the files.');
  }
  const selection = selectionOf(options, states, ledger);
  const leftOut = [...known].flatMap(([submissionId, state]) =>
    selection.states.includes(state) ? [] : [{ submissionId, state }],
  );
  return { selected: select(ledger, selection), leftOut };
}

function latestText(latest: number | null): string {
  return latest === null ? 'There was none yet.' : `The latest is run ${latest}.`;
}

function unknown(subject: string, message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'choose rows', subject, message, hint });
}

function parseStates(text: string | undefined, { done, allowed, usual }: SelectableStates): readonly State[] {
  if (text === undefined) return usual;
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !allowed.some((state) => state === name));
  if (wrong === undefined) return names as State[];
  throw new OperatorError({
    operation: 'read the options',
    subject: '--state',
    message: `--state "${wrong}" can't be ${done}`,
    hint: `States that can: ${allowed.join(', ')}.`,
  });
}
