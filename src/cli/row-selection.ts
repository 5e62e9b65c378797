import type { Command } from 'commander';
import { learnersNamed } from '../decisions/learners-named.js';
import { OperatorError } from '../domain/operator-error.js';
import type { State } from '../domain/submission.js';
import type { Selected, Selection } from '../ledger/decisions.js';
import type { Ledger } from '../ledger/query.js';
import { textTable } from '../report/text-table.js';
import { type CommonOptions, type Io, print } from './io.js';
import { isoTime } from './iso-time.js';
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
    .option('--row <id...>', 'these submissions, by number', (text: string, before: number[] = []) => [
      ...before,
      wholeNumber(text),
    ])
    .option('--because <text>', 'why, for the record');
}

/** The selection that the options name. Throws OperatorError when they name none, or a state that can't be. */
export function selectionOf(options: RowOptions, states: SelectableStates, ledger: Ledger): Selection {
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
    submissionIds: options.row,
  };
}

/** What a decision keeps of the options; a learner's identifier is not among it. */
export function recordedOptions({ learner, ...options }: RowOptions): Record<string, unknown> {
  const { all, state, reason, content, file, run, since, row } = options;
  return { all, state, reason, content, file, run, since, row, byLearner: learner !== undefined };
}

/** Throws OperatorError when nothing says which rows are meant. */
export function requireSelection(command: string, options: RowOptions): void {
  const { all, state, reason, learner, content, file, run, since, row } = options;
  const named = [state, reason, learner, content, file, run, since, row].some((value) => value !== undefined);
  if (all || named) return;
  throw new OperatorError({
    operation: 'choose rows',
    subject: command,
    message: `${command} needs to know which rows`,
    hint: 'Name them with --state, --reason, --learner, --content, --file, --run, --since or --row, or take --all.',
  });
}

/** Prints the selected rows; after --dry-run with what would become of them. */
export function printSelected(
  io: Io,
  options: RowOptions,
  selected: readonly Selected[],
  outlook: string,
): void {
  const dryRun = options.dryRun === true;
  print(
    io,
    options,
    () => ({ dryRun, selected }),
    () => selectedText(selected, dryRun ? outlook : null),
  );
}

function selectedText(selected: readonly Selected[], outlook: string | null): string {
  if (selected.length === 0) return 'No row fits.\n';
  const table = textTable(
    ['ROW', 'STATE', 'CODE', 'FROM'],
    selected.map((row) => [row.submissionId, row.state, row.code, `${row.file}:${row.line}`]),
  );
  return outlook === null
    ? `${table}\n`
    : `${table}\n${selected.length} would be ${outlook}. Nothing was changed.\n`;
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
