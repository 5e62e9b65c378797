import { agreeing, countOf } from '../../domain/text/count-of.js';
import { GIVEN_REASON } from '../../normalise/infer/infer-mapping.js';
import type { SampleSetting } from './sample-settings.js';
import { type SetupAnswers, USUAL_VARIABLES } from './setup-answers.js';

/** What a new registrar.yaml is built from. */
export interface NewConfig {
  /** A name as `nameSchema` wants it; the source's folder in inbox/. */
  readonly sourceName: string;
  /** The environment of the source's records; `main` in a new file. */
  readonly environment?: string;
  /** The machine's IANA zone: a guess about the files, so it is marked for a person to confirm. */
  readonly timeZone: string;
  /** What a sample file showed; absent when there was none. */
  readonly sample?: SampleFindings;
  /** What a person has said; what is absent stands as a guess that is marked. */
  readonly given?: Pick<
    SetupAnswers,
    'baseUrl' | 'authUrl' | 'clientIdEnv' | 'clientSecretEnv' | 'operation' | 'timeZone'
  > & {
    /** Fields that no column is. */
    readonly noColumn: readonly string[];
  };
}

/** How the columns of a sample file map; each finding with its reason, which becomes a comment. */
export interface SampleFindings {
  readonly fileName: string;
  /** The operation that the records are for. */
  readonly operation: string;
  /**
   * The preset of the export; null where it is no known export. `settings` are the keys that naming the preset would set,
   * in words.
   */
  readonly preset: {
    readonly name: string;
    readonly title: string;
    readonly has: readonly string[];
    readonly settings: readonly string[];
    readonly timeZone: string | null;
  } | null;
  /** Fields that a record needs and that neither a column nor a default gives. */
  readonly missing: readonly { readonly field: string; readonly reason: string }[];
  readonly columns: readonly { readonly field: string; readonly header: string; readonly reason: string }[];
  readonly defaults: readonly { readonly field: string; readonly value: string; readonly reason: string }[];
  readonly dateOrder?: { readonly value: string; readonly reason: string };
  /** How many rows of the sample have no date of completion, where nothing else says who has completed. */
  readonly noDate?: { readonly header: string; readonly rows: number; readonly of: number };
  /** A guess, where the file is text and nothing in it shows its encoding. */
  readonly encoding?: { readonly value: string; readonly reason: string };
  /** The zone that the file itself names. */
  readonly timeZone?: { readonly value: string; readonly reason: string };
  /** Further settings that the source needs for such a file. */
  readonly settings: readonly SampleSetting[];
  /** Columns beside the status that say whether a row counts. */
  readonly deciding: readonly string[];
  /** Further columns that no field takes; the reason is null when there is nothing to say. */
  readonly unmapped: readonly { readonly header: string; readonly reason: string | null }[];
}

/**
 * The commented registrar.yaml that `registrar init` writes. It loads unchanged once the variables of the
 * credentials are set. Prose comments begin with `# `; keys to switch on begin with `#` alone.
 */
export function renderConfig(input: NewConfig): string {
  return `${[
    '# yaml-language-server: $schema=./registrar.schema.json',
    '# What Registrar takes in and where it delivers. Check it with: registrar status',
    '',
    ...environment(input.given),
    '',
    'sources:',
    ...renderSource(input),
    '',
    ...schedule(input.given?.timeZone ?? input.timeZone),
  ].join('\n')}\n`;
}

function environment(given: NewConfig['given']): string[] {
  const { baseUrl, authUrl } = given ?? {};
  const { clientIdEnv, clientSecretEnv } = { ...USUAL_VARIABLES, ...given };
  return [
    'environments:',
    '  main:',
    baseUrl === undefined
      ? `    baseUrl: ${PLACEHOLDER}  # replace: the address of your platform`
      : `    baseUrl: ${address(baseUrl)}  # the address of the platform`,
    tokens(baseUrl, authUrl),
    '    # These two are environment variables. A secret is never written into this file.',
    `    clientId: \${${clientIdEnv}}`,
    `    clientSecret: \${${clientSecretEnv}}`,
    '    # Requests the platform allows this client id; reserve keeps some of them for reruns by hand.',
    '    #quota: { requests: 70, per: 1m, reserve: 0 }',
  ];
}

function tokens(baseUrl: string | undefined, authUrl: string | undefined): string {
  const what = 'the token server';
  if (authUrl !== undefined) return `    authUrl: ${address(authUrl)}  # ${what}`;
  return baseUrl === undefined
    ? `    authUrl: ${PLACEHOLDER}  # replace: ${what}`
    : `    authUrl: ${address(baseUrl)}  # confirm: ${what}, taken to be that of the platform`;
}

const PLACEHOLDER = 'https://platform.example';

/** The lines of one source, as an entry of the list `sources:` that is indented by two. */
export function renderSource({
  sourceName,
  environment = 'main',
  timeZone,
  sample,
  given,
}: NewConfig): string[] {
  const operation = sample?.operation ?? given?.operation ?? 'submit-completion';
  return [
    `  - name: ${scalar(sourceName)}  # reads inbox/${comment(sourceName)}/`,
    `    operation: ${operation}`,
    `    environment: ${scalar(environment)}`,
    '    #match: "*.{csv,tsv,txt,xlsx}"  # the file names to take',
    ...preset(sample?.preset ?? null),
    ...(isTimed(operation) ? [zone(timeZone, sample, given?.timeZone), ...dateOrder(sample)] : []),
    ...noDate(sample?.noDate),
    ...encoding(sample?.encoding),
    ...settings(sample),
    ...columns(sample, given?.noColumn ?? []),
    ...defaults(sample, operation),
    ...deciding(sample),
    ...unmapped(sample),
  ];
}

/** Operations other than completions have no times. */
function isTimed(operation: string): boolean {
  return operation === 'submit-completion';
}

function settings(sample: SampleFindings | undefined): string[] {
  return (sample?.settings ?? []).map(
    ({ key, value, reason }) => `    ${key}: ${settingText(value)}  # ${comment(reason)}`,
  );
}

function settingText(value: SampleSetting['value']): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? scalar(value) : `[${value.map(scalar).join(', ')}]`;
}

function preset(found: SampleFindings['preset']): string[] {
  if (found === null) return [];
  const has = `${comment(found.title)}: it has ${comment(found.has.join(', '))}`;
  if (found.settings.length === 0) return [`    preset: ${scalar(found.name)}  # ${has}`];
  return [
    `    preset: ${scalar(found.name)}  # confirm: ${has}`,
    `    # It sets, unless another key here says otherwise: ${comment(found.settings.join('; '))}`,
  ];
}

function zone(machine: string, sample: SampleFindings | undefined, given: string | undefined): string {
  if (given !== undefined)
    return `    timeZone: ${scalar(given)}  # of times that carry none, ${GIVEN_REASON}`;
  const preset = sample?.preset ?? null;
  const presetZone = preset?.timeZone ?? null;
  if (presetZone !== null) {
    return `    timeZone: ${scalar(presetZone)}  # confirm: the zone that preset ${comment(preset?.name ?? '')} is known to write times in`;
  }
  const { value, reason } = sample?.timeZone ?? {
    value: machine,
    reason: "the zone of times in the files that carry none; this is this machine's",
  };
  return `    timeZone: ${scalar(value)}  # confirm: ${comment(reason)}`;
}

function dateOrder(sample: SampleFindings | undefined): string[] {
  if (sample?.settings.some(({ key }) => key === 'dateOrder')) return [];
  const found = sample?.dateOrder;
  return found === undefined
    ? [
        '    #dateOrder: day-first  # or month-first, year-first; without it the whole column must prove the order',
      ]
    : [`    dateOrder: ${scalar(found.value)}  # ${comment(found.reason)}`];
}

function noDate(found: SampleFindings['noDate']): string[] {
  if (found === undefined) return [];
  const { header, rows, of } = found;
  return [
    `    noDate: skipped  # confirm: of ${countOf(of, 'row')} of the sample ${rows} ${agreeing(rows, 'has', 'have')} nothing in ${comment(header)}, and ${agreeing(rows, 'is', 'are')} taken for not completed`,
  ];
}

function encoding(found: SampleFindings['encoding']): string[] {
  return found === undefined ? [] : [`    encoding: ${scalar(found.value)}  # ${comment(found.reason)}`];
}

function columns(sample: SampleFindings | undefined, noColumn: readonly string[]): string[] {
  if (sample === undefined || sample.columns.length === 0) {
    return [
      '    # Common headers are recognised. Map the others (field: header).',
      '    #columns:',
      '    #  user-id: "Learner"',
      '    #  content-id: "Course code"',
      '    #  completed-at: "Finished on"',
    ];
  }
  return [
    `    # Mapping of the columns in ${comment(sample.fileName)} (field: header)`,
    '    columns:',
    ...sample.columns.map(
      ({ field, header, reason }) => `      ${scalar(field)}: ${quoted(header)}  # ${comment(reason)}`,
    ),
    ...noColumn.map((field) => `      ${scalar(field)}: null  # no column is it, ${GIVEN_REASON}`),
    ...sample.missing.map(
      ({ field, reason }) => `      # ${field} is needed, here or in defaults: ${comment(reason)}`,
    ),
  ];
}

function defaults(sample: SampleFindings | undefined, operation: string): string[] {
  const found = sample?.defaults ?? [];
  if (found.length === 0) {
    if (!isTimed(operation)) return [];
    return ['    # Values for fields that no column gives.', '    #defaults:', '    #  content-type: course'];
  }
  return [
    '    # Values for fields that no column gives.',
    '    defaults:',
    ...found.map(
      ({ field, value, reason }) => `      ${scalar(field)}: ${scalar(value)}  # ${comment(reason)}`,
    ),
  ];
}

function deciding(sample: SampleFindings | undefined): string[] {
  if (sample === undefined || sample.deciding.length === 0) return [];
  return [
    `    # Columns of ${comment(sample.fileName)} that decide, beside a status, whether a row counts:`,
    ...sample.deciding.map((header) => `    # - ${quoted(header)}`),
    '    # Name here what decides nothing:',
    `    #status: { ignore: [${quoted(sample.deciding[0] ?? '')}] }`,
  ];
}

function unmapped(sample: SampleFindings | undefined): string[] {
  if (sample === undefined || sample.unmapped.length === 0) return [];
  return [
    `    # Columns of ${comment(sample.fileName)} that are not used:`,
    ...sample.unmapped.map(
      ({ header, reason }) => `    # - ${quoted(header)}${reason === null ? '' : `: ${comment(reason)}`}`,
    ),
  ];
}

function schedule(timeZone: string): string[] {
  return [
    '# registrar schedule stays, takes in what arrives and delivers what waits. What it does by the clock beside that:',
    '#schedule:',
    '#  - cron: "*/15 * * * *"  # tries again what could not be taken in',
    `#    timeZone: ${scalar(timeZone)}`,
    '#    do: [run]',
    '#  - cron: "0 7 * * 1-5"',
    `#    timeZone: ${scalar(timeZone)}`,
    '#    do: [report]',
    '# With cron or another scheduler, call registrar run.',
  ];
}

/** An address, bare where nothing in it means something else in YAML. */
function address(text: string): string {
  return /^https?:\/\/[\w.:/[\]-]+$/.test(text) && !text.includes(': ') && !text.endsWith(':')
    ? text
    : quoted(text);
}

/** A YAML scalar: bare where it can only be read as this text, else in quotes. */
function scalar(text: string): string {
  const bare =
    /^[A-Za-z][A-Za-z0-9_./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return bare ? text : quoted(text);
}

/**
 * The text in double quotes. YAML takes JSON's escapes; the further escapes that YAML needs are added, and a `${NAME}` is
 * kept as text.
 */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\$\{/g, () => '$${')).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A comment is one line, whatever the text. */
function comment(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\ufeff\s]+/gu, ' ').trim();
}
