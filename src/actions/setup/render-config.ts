import { ADDED_PATHS } from '../../config/platform-calls.js';
import { machineTimeZone } from '../../config/values/time-zone.js';
import { type Entry, entryLines, mapLines, variable } from '../../config/yaml/yaml-writer.js';
import { GIVEN_REASON } from '../../normalise/infer/infer-mapping.js';
import type { SampleFindings } from './read-sample.js';
import { DEFAULT_VARIABLES, type SetupAnswers } from './setup-answers.js';

export interface NewConfig {
  /** A name as `nameSchema` wants it; the source's folder in inbox/. */
  readonly sourceName: string;
  /** The environment of the source's records; absent: `main`, as in a new file. */
  readonly environment?: string;
  /** What a sample file showed; each finding has its reason, which becomes a comment. */
  readonly sample?: SampleFindings | undefined;
  /** A person's answers; what is absent becomes a marked guess. */
  readonly answers?: Partial<SetupAnswers> | undefined;
}

/**
 * The commented registrar.yaml that `registrar init` writes. It loads unchanged once the variables of the
 * credentials are set. Prose comments begin with `# `; keys to switch on begin with `#` alone.
 */
export function renderConfig(config: NewConfig): string {
  const zone = config.answers?.timeZone ?? machineTimeZone();
  const lines = [
    '# yaml-language-server: $schema=./registrar.schema.json',
    '# What Registrar imports and where it delivers. Check it with: registrar status',
    '',
    ...mapLines([['environments', [['main', environment(config.answers)]]]]),
    '',
    'sources:',
    ...renderSource(config),
    '',
    '# registrar schedule keeps running, imports new files and delivers waiting rows. Its jobs at fixed times:',
    '#schedule:',
    '#  - cron: "*/15 * * * *"  # retries files that could not be imported',
    `#    timeZone: ${zone}`,
    '#    do: [run]',
    '#  - cron: "0 7 * * 1-5"',
    `#    timeZone: ${zone}`,
    '#    do: [report]',
    '# With cron or another scheduler, call registrar run.',
  ];
  return `${lines.join('\n')}\n`;
}

export function renderSource(config: NewConfig): string[] {
  return entryLines(source(config));
}

const PLACEHOLDER = 'https://platform.example';

function environment(answers: NewConfig['answers']): Entry[] {
  const { baseUrl, authUrl } = answers ?? {};
  const { clientIdEnv, clientSecretEnv } = { ...DEFAULT_VARIABLES, ...answers };
  const isNone = baseUrl === undefined;
  const ofBase = isNone ? 'replace: the token server' : 'confirm: the token server, taken to be the platform';
  const ofAuth = `the token server; Registrar adds ${ADDED_PATHS.authUrl} itself`;
  return [
    ['baseUrl', baseUrl ?? PLACEHOLDER, `${isNone ? 'replace: ' : ''}the address of the platform`],
    ['authUrl', authUrl ?? baseUrl ?? PLACEHOLDER, authUrl === undefined ? ofBase : ofAuth],
    '# These two are environment variables. A secret is never written into this file.',
    ['clientId', variable(clientIdEnv)],
    ['clientSecret', variable(clientSecretEnv)],
    '# Requests the platform allows this client id; reserve keeps some of them for reruns by hand.',
    '#quota: { requests: 70, per: 1m, reserve: 0 }',
  ];
}

function source({ sourceName, environment = 'main', sample, answers }: NewConfig): Entry[] {
  const operation = sample?.operation ?? answers?.operation ?? 'submit-completion';
  // Operations other than completions have no times.
  const isTimed = operation === 'submit-completion';
  const settings = sample?.settings ?? [];
  return [
    ['name', sourceName, `reads inbox/${sourceName}/`],
    ['operation', operation],
    ['environment', environment],
    '#match: "*.{csv,tsv,txt,xlsx,zip,gz,pgp,gpg}"  # the names of files that are imported',
    ...preset(sample?.preset ?? null),
    ...(isTimed ? [zone(sample, answers?.timeZone)] : []),
    ...(isTimed && !settings.some(({ key }) => key === 'dateOrder')
      ? ['#dateOrder: day-first  # or month-first, year-first; without it the column must prove it']
      : []),
    ...settings.flatMap(({ key, value, reason }) =>
      key === 'timeZone' ? [] : [[key, value, reason] as const],
    ),
    ...columns(sample, answers?.columns ?? {}),
    ...defaults(sample, isTimed),
  ];
}

function preset(match: SampleFindings['preset']): Entry[] {
  if (match === null) return [];
  const { name, title, has, settings } = match;
  const reason = `${title}: it has ${has.join(', ')}`;
  if (settings.length === 0) return [['preset', name, reason]];
  return [
    ['preset', name, `confirm: ${reason}`],
    `# It sets, unless another key here says otherwise: ${settings.join('; ')}`,
  ];
}

/** A zone of the machine is a guess about the files. */
function zone(sample: SampleFindings | undefined, answer: string | undefined): Entry {
  if (answer !== undefined) return ['timeZone', answer, `of times that carry none, ${GIVEN_REASON}`];
  const { value, reason } = sample?.settings.find(({ key }) => key === 'timeZone') ?? {
    value: machineTimeZone(),
    reason: "the zone of times in the files that carry none; this is this machine's",
  };
  return ['timeZone', value, `confirm: ${reason}`];
}

function columns(sample: SampleFindings | undefined, answers: SetupAnswers['columns']): Entry[] {
  if (sample === undefined || sample.columns.length === 0) {
    return [
      '# Common headers are recognised. Map the others (field: header).',
      '#columns:',
      '#  user-id: "Learner"',
      '#  content-id: "Course code"',
      '#  completed-at: "Finished on"',
    ];
  }
  const entries: Entry[] = [
    // Not the last: a comment behind this map would become one with it.
    ...sample.missing.map(({ field, reason }) => `# ${field} is needed, here or in defaults: ${reason}`),
    ...sample.columns.map(({ field, header, reason }) => [field, header, reason] as const),
    ...Object.keys(answers).flatMap((field) =>
      answers[field] === null ? [[field, null, `no column is it, ${GIVEN_REASON}`] as const] : [],
    ),
  ];
  return [`# Mapping of the columns in ${sample.fileName} (field: header)`, ['columns', entries]];
}

function defaults(sample: SampleFindings | undefined, isTimed: boolean): Entry[] {
  const about = '# Values for fields that no column gives.';
  const constants = sample?.defaults ?? [];
  if (constants.length > 0) {
    return [
      about,
      ['defaults', constants.map(({ field, value, reason }) => [field, value, reason] as const)],
    ];
  }
  return isTimed ? [about, '#defaults:', '#  content-type: course'] : [];
}
