import { environmentSchema } from '../../config/schema/environment-schema.js';
import { sourceSchema } from '../../config/schema/source-schema.js';
import type { Config, EnvironmentConfig, SourceConfig } from '../../config/schema.js';
import { durationText } from '../../config/values/duration.js';
import type { Report } from '../report.js';
import type { Counts, Section, Table } from './section.js';

export interface SettingsFacts {
  readonly versions: readonly (readonly [name: string, version: string])[];
  /** Today's settings; null: not available. */
  readonly config: Config | null;
}

/** Versions, and the settings that decide how rows were read and sent. No credentials, and no name that gives access. */
export function settings({ files }: Pick<Report, 'files'>, { versions, config }: SettingsFacts): Section {
  return {
    id: 'settings',
    title: 'Settings and versions',
    ...(config === null
      ? {}
      : { note: 'The main settings, as in registrar.yaml now, where they differ from the defaults.' }),
    tables: [
      table('Versions', versions.length === 0 ? [] : [['This report', { of: '', counts: versions }]]),
      ...(config === null ? [] : tablesOf(config, new Set(files.map(({ source }) => source)))),
    ].filter(({ rows }) => rows.length > 0),
  };
}

/** @param inReport names of sources; empty: all are shown. */
function tablesOf(config: Config, inReport: ReadonlySet<string>): Table[] {
  const sources = config.sources.filter(({ name }) => inReport.size === 0 || inReport.has(name));
  const used = new Set(sources.map(({ environment }) => environment));
  const environments = Object.entries(config.environments).filter(([name]) => used.has(name));
  const usual = defaults();
  return [
    table(
      'Sources',
      sources.map((source) => [source.name, unlike(usual.source, ofSource(source))]),
    ),
    table(
      'Environments',
      environments.map(([name, environment]) => [
        name,
        unlike(usual.environment, ofEnvironment(environment)),
      ]),
    ),
  ];
}

type Values = Counts['counts'];

/** The values of a source and an environment that set nothing. */
function defaults(): { readonly source: Values; readonly environment: Values } {
  const NAMES = { name: 'x', operation: 'submit-completion', environment: 'x' };
  const ACCESS = { clientId: 'x', clientSecret: 'x' };
  const URLS = { baseUrl: 'https://platform.example', authUrl: 'https://platform.example' };
  return {
    source: ofSource(sourceSchema.parse(NAMES)).filter(([key]) => !(key in NAMES)),
    environment: ofEnvironment(environmentSchema.parse({ ...URLS, ...ACCESS })),
  };
}

function unlike(usual: Values, values: Values): Counts {
  const isUsual = ([key, value]: Values[number]) =>
    usual.some(([name, own]) => name === key && own === value);
  return { of: '', counts: values.filter((one) => !isUsual(one)) };
}

/** The settings of one thing share a cell that wraps: a column for each would hide some on most screens. */
function table(caption: string, lines: readonly (readonly [string, Counts])[]): Table {
  const columns = [{ title: 'Name' }, { title: caption === 'Versions' ? 'Versions' : 'Settings' }];
  return { caption, columns, look: 'settings', maxRows: 100, rows: lines.map((cells) => ({ cells })) };
}

const OF_SOURCE = [
  ...['operation', 'environment', 'preset', 'timeZone', 'dateOrder', 'dateOnly', 'overlap', 'scale'],
  ...['scoreUnreadable', 'amendments', 'sameKey'],
] as const satisfies readonly (keyof SourceConfig)[];

function ofSource(source: SourceConfig): Values {
  return OF_SOURCE.flatMap((key) => (source[key] ? [[key, String(source[key])] as const] : []));
}

function ofEnvironment({ quota, pace, retry, unknown, exists, recheck }: EnvironmentConfig): Values {
  return Object.entries({
    quota: `${quota.requests} per ${durationText(quota.perMs)}`,
    reserve: quota.reserve,
    pace,
    tries: retry.tries,
    'no answer': unknown,
    '409 means': exists,
    recheck: `${recheck.times} times after ${durationText(recheck.afterMs)}`,
  });
}
