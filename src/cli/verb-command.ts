import { Option } from 'commander';
import { type Field, factsOf, needsRows, type VerbName } from '../actions/decision/verb-facts.js';
import type { Selectable } from '../domain/selection.js';
import { selectionIn } from '../domain/text/selection-text.js';
import type { Call, CommandAbout } from './command.js';
import { collect, isoTime, wholeNumber } from './option-values.js';
import type { CommonOptions, OptionsOf, Word, Words } from './options-of.js';
import { usageError } from './usage-error.js';

export interface VerbOptions extends CommonOptions {
  readonly because?: string;
  readonly dryRun?: boolean;
}

/** The command of a verb: its words, options and help follow from its facts. */
export function aboutVerb(name: VerbName): CommandAbout {
  const { summary, fields, rows, needsReason, examples } = factsOf(name);
  const all = Object.values(fields).map((field) => [field.cli, wordOf(field)] as const);
  return {
    description: summary,
    inputs: Object.fromEntries(all.filter(([cli]) => !isOption(cli))),
    options: {
      ...(rows === undefined ? {} : rowOptions(rows.selectable)),
      ...Object.fromEntries(all.filter(([cli]) => isOption(cli))),
      '--because <text>': `why, for the record${needsReason ? '; required without --dry-run' : ''}`,
      '--dry-run': 'only show what would change',
    },
    examples,
  };
}

const PARSERS = { number: wholeNumber, time: isoTime, pairs: collect };

function wordOf({ cli, about, kind, isRequired, ...more }: Field): Word {
  return {
    description: about,
    // Of several values none are refused by the verb, which says more than that an option is missing.
    ...(isRequired && isOption(cli) && kind !== 'pairs' ? { isRequired } : {}),
    ...(kind in PARSERS ? { parse: PARSERS[kind as keyof typeof PARSERS] } : {}),
    ...(more.default === undefined ? {} : { default: more.default }),
  };
}

function isOption(cli: string): boolean {
  return cli.startsWith('-');
}

/** What a command line requests of a verb. Throws OperatorError for an impossible selection, and for none where rows are needed. */
export function requestOf(name: VerbName, { inputs, options }: Call): Record<string, unknown> {
  const { fields, rows } = factsOf(name);
  const words = [...inputs];
  const values = options as unknown as Readonly<Record<string, unknown>>;
  const request: Record<string, unknown> = {};
  for (const [field, { cli, kind }] of Object.entries(fields)) {
    const value = isOption(cli) ? values[new Option(cli).attributeName()] : words.shift();
    request[field] = kind === 'flag' ? value === true : kind === 'pairs' ? (value ?? []) : value;
  }
  if (rows === undefined) return request;
  const { state: states, reason: cause, row, ...others } = options as RowOptions;
  const { all, learner, content, file, run, since, until } = others;
  const texts = { all, states, cause, learner, content, file, run, since, until, rows: row };
  const optionOf = (member: string) => `--${OPTION_OF[member] ?? member}`;
  const selection = selectionIn(texts, rows.selectable, optionOf);
  if (selection !== null || !needsRows(name, request)) return { selection, ...request };
  throw usageError(
    name,
    `${name} needs to know which rows`,
    'Name them with --state, --reason, --learner, --content, --file, --run, --since, --until or --row, or take --all.',
  );
}

type RowOptions = OptionsOf<{ options: ReturnType<typeof rowOptions> }>;

function rowOptions({ states }: Selectable) {
  return {
    '--all': 'everything that needs attention',
    '--state <list>': `of these states: ${states.join(', ')}`,
    '--reason <code>': 'with this cause, as reports show it',
    '--learner <id>': 'of this learner',
    '--content <id>': 'of this content',
    '--file <name>': 'from files of this name',
    '--run <n>': 'of this run',
    '--since <time>': 'from files imported since this day or time (UTC)',
    '--until <time>': 'from files imported before this day or time (UTC)',
    '--row <id...>': 'these rows: a submission by its number, a line as FILE:LINE',
  } as const satisfies Words;
}

const OPTION_OF: Readonly<Record<string, string>> = { states: 'state', cause: 'reason', rows: 'row' };
