import { Option } from 'commander';
import { type Field, factsOf, needsRows, type VerbName } from '../actions/decision/verb-facts.js';
import type { Call, CommandAbout } from './command.js';
import type { CommonOptions } from './io.js';
import { isoTime, oneMore, wholeNumber } from './option-values.js';
import type { Word } from './options-of.js';
import { namedRows, type RowOptions, requiredRows, rowOptions } from './row-selection.js';

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
      '--because <text>': `why, for the record${needsReason ? '; needed without --dry-run' : ''}`,
      '--dry-run': 'only show what would change',
    },
    examples,
  };
}

const PARSERS = { number: wholeNumber, time: isoTime, pairs: oneMore };

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
  const rowOptions = options as RowOptions;
  const selection = needsRows(name, request)
    ? requiredRows(name, rowOptions, rows.selectable)
    : namedRows(rowOptions, rows.selectable);
  return { selection, ...request };
}
