import { basename } from 'node:path';
import { parseConfig } from '../../config/load-config.js';
import { systemClock } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { openDrop } from '../../intake/open-drop.js';
import type { OpenedDrop } from '../../intake/opened-drop.js';
import {
  GIVEN_REASON,
  type GivenMapping,
  type InferredSample,
  inferSample,
  mappedCount,
} from '../../normalise/infer/infer-mapping.js';
import { zoneNamed } from '../../normalise/values/zone-names.js';
import type { Operation } from '../../operations/operation.js';
import { operationNamed } from '../../operations/registry.js';
import { sampleRows } from '../../reading/plan-drop.js';
import { clip } from '../../report/text/layout.js';
import { maskAddresses, maskText } from '../../report/words/mask.js';
import { settingLines } from '../../report/words/preset-words.js';
import { workspacePaths } from '../../workspace/folders.js';
import { type CheckedFile, check } from '../check.js';
import type { Surroundings } from '../context.js';
import type { SampleFindings } from './render-config.js';
import { type SampleDoubts, sampleDoubts } from './sample-doubts.js';
import { type SampleSetting, sampleSettings } from './sample-settings.js';
import { wrongOption } from './setup-answers.js';

/** How many rows of a sheet are looked at. */
const SAMPLE_ROWS = 1_000;

/** What a person says about a sample. */
export interface SampleAnswers extends GivenMapping {
  readonly dateOrder?: string;
  readonly scale?: string;
}

/** A sample as it was read. */
export interface ReadSample {
  readonly findings: SampleFindings;
  readonly doubts: SampleDoubts;
}

/**
 * Reads from a sample file how its source is to be read. Throws OperatorError where the file has no header, or none that the
 * answers name.
 */
export async function readSample(
  file: string,
  operation: Operation,
  given: SampleAnswers = { columns: {}, defaults: {} },
): Promise<ReadSample> {
  const opened = await openDrop(file, {});
  const sheets = await inferSheets(opened, operation, given);
  const [best] = [...sheets].sort((a, b) => mappedCount(b.inferred) - mappedCount(a.inferred));
  if (!best) {
    throw new OperatorError({
      operation: 'read the sample',
      subject: file,
      message: `${basename(file)} has no line that looks like a header`,
      hint: 'Look at it: registrar inspect FILE. Or leave --sample out, and write the columns into registrar.yaml.',
      exit: 'attention',
    });
  }
  const others = sheets.filter(({ sheet }) => sheet !== best.sheet).flatMap(({ sheet }) => sheet ?? []);
  requireHeaders(basename(file), best.inferred.headers, operation, given);
  const settings = givenSettings(sampleSettings(best.sheet, others, best.inferred), given);
  const defaults = defaultsOf(best.inferred, operation);
  const found = findings(basename(file), best.inferred, defaults, { operation: operation.name, settings });
  return {
    findings: { ...found, ...givenOrder(found, given), ...encodingOf(opened) },
    doubts: sampleDoubts(best.inferred, operation, defaults),
  };
}

/** Refuses a field that the operation doesn't have, and a header that the file doesn't have or has twice. */
function requireHeaders(
  fileName: string,
  headers: readonly string[],
  { name, fields }: Operation,
  { columns, defaults }: GivenMapping,
): void {
  for (const [option, given] of [
    ['--column', columns],
    ['--default', defaults],
  ] as const) {
    const unknown = Object.keys(given).find((field) => !fields.some((one) => one.name === field));
    if (unknown === undefined) continue;
    const known = fields.map((field) => field.name).join(', ');
    throw wrongOption(option, `"${unknown}" is no field of ${name}; its fields are ${known}`);
  }
  for (const [field, header] of Object.entries(columns)) {
    const count = header === null ? 1 : headers.filter((one) => one.trim() === header.trim()).length;
    if (count === 1) continue;
    const all = headers.filter((one) => one.trim() !== '').map((one) => `"${one}"`);
    throw wrongOption(
      '--column',
      count === 0
        ? `${field}: ${fileName} has no column "${header}"; its columns are ${all.join(', ')}`
        : `${field}: ${fileName} has ${count} columns "${header}"; rename them in the export, so that each has its own name`,
    );
  }
}

function givenSettings(
  settings: readonly SampleSetting[],
  { dateOrder, scale }: SampleAnswers,
): readonly SampleSetting[] {
  return [
    ...settings.filter(({ key }) => key !== 'dateOrder' || dateOrder === undefined),
    ...(scale === undefined ? [] : [{ key: 'scale', value: scale, reason: GIVEN_REASON }]),
  ];
}

function givenOrder({ dateOrder }: SampleFindings, given: SampleAnswers): Pick<SampleFindings, 'dateOrder'> {
  if (given.dateOrder !== undefined) return { dateOrder: { value: given.dateOrder, reason: GIVEN_REASON } };
  return dateOrder === undefined ? {} : { dateOrder };
}

/** The encoding that is left where nothing in the file shows it: a person should confirm it. */
function encodingOf({ text }: OpenedDrop): Pick<SampleFindings, 'encoding'> {
  if (!text?.fallback) return {};
  const reason = 'confirm: the file is no UTF-8, and names in it should look right in `registrar inspect`';
  return { encoding: { value: text.encoding, reason } };
}

interface InferredSheet {
  /** null for a text file. */
  readonly sheet: string | null;
  readonly inferred: InferredSample;
}

/** The visible sheets that have a header; the whole file where it is text. */
async function inferSheets(
  opened: OpenedDrop,
  operation: Operation,
  given: GivenMapping,
): Promise<readonly InferredSheet[]> {
  const visible = opened.workbook?.sheets.filter(({ state }) => state === 'visible') ?? [];
  const names = opened.workbook ? visible.map(({ name }) => name) : [null];
  const found: InferredSheet[] = [];
  for (const sheet of names) {
    const inferred = inferSample(await sampleRows(opened, sheet ?? undefined, SAMPLE_ROWS), operation, given);
    if (inferred) found.push({ sheet, inferred });
  }
  return found;
}

/** The values for all rows that the set-up writes; `confirm`: a guess. */
function defaultsOf(mapping: InferredSample, operation: Operation) {
  return [...mapping.defaults, ...preambleDefaults(mapping, operation)];
}

function findings(
  fileName: string,
  mapping: InferredSample,
  proposed: ReturnType<typeof defaultsOf>,
  { operation, settings }: { readonly operation: string } & Pick<SampleFindings, 'settings'>,
): SampleFindings {
  const dated = mapping.columns.find(({ dateOrder }) => dateOrder !== null);
  const defaults = proposed.map(({ field, value, reason, confirm }) => ({
    field,
    value,
    reason: confirm ? `confirm: ${reason}` : reason,
  }));
  const given = new Set(defaults.map(({ field }) => field));
  const [note] = mapping.preamble.zoneNotes;
  const zone = note && zoneNamed(note.words);
  return {
    fileName,
    operation,
    preset: presetFindings(mapping),
    missing: mapping.columns.flatMap(({ field, required, header, reason }) =>
      required && header === null && !given.has(field) ? [{ field, reason }] : [],
    ),
    columns: mapping.columns.flatMap((column) => {
      const { field, header, example } = column;
      const seen = suchAs(field, example, operationNamed(operation));
      return header === null ? [] : [{ field, header, reason: `${whyColumn(column)}${seen}` }];
    }),
    defaults,
    ...(zone && /^[A-Z]/.test(zone)
      ? { timeZone: { value: zone, reason: `line ${note.line} of the file names it` } }
      : {}),
    ...(dated?.dateOrder
      ? { dateOrder: { value: dated.dateOrder, reason: `${dated.header} proves it` } }
      : {}),
    ...(mapping.noDate ? { noDate: mapping.noDate } : {}),
    settings,
    unmapped: mapping.unmapped,
    deciding: mapping.deciding,
  };
}

/** Why a column was taken, and what of it a person should confirm. */
function whyColumn({ isDoubtful, question, reason }: InferredSample['columns'][number]): string {
  if (question !== null) return `${reason}; confirm: ${question}`;
  return isDoubtful ? `confirm: ${reason}` : reason;
}

/** Values for all rows that no column gives and a line above the header does. */
function preambleDefaults({ columns, defaults, preamble }: InferredSample, operation: Operation) {
  const contents = operation.fields.filter(({ kind, required }) => kind === 'identifier' && required);
  const missing = columns.filter(
    ({ header, field }) =>
      header === null &&
      contents.some(({ name }) => name === field) &&
      !defaults.some((given) => given.field === field),
  );
  const isTitled = columns.some(({ field, header }) => field === 'content-title' && header !== null);
  const { content } = preamble;
  if (content === null || isTitled) return [];
  return missing.map(({ field }) => ({
    field,
    value: content.value,
    reason: `line ${content.line} of the file says ${content.label}; for files of others it is another`,
    confirm: true,
  }));
}

/**
 * An example that helps to recognise a column. Learners are masked, and addresses wherever they stand, because
 * registrar.yaml is passed on.
 */
function suchAs(name: string, example: string | null, { fields }: Operation): string {
  if (example === null) return '';
  const isLearner = fields.some(({ name: own, kind }) => own === name && kind === 'learner');
  const value = clip(example, LONGEST_EXAMPLE);
  return ` such as ${isLearner ? maskText(value) : maskAddresses(value)}`;
}

/** The most characters of an example: a time with its zone, or the beginning of a title. */
const LONGEST_EXAMPLE = 40;

function presetFindings({ preset }: InferredSample): SampleFindings['preset'] {
  if (!preset) return null;
  const { name, title, has, settings } = preset;
  return { name, title, has, settings: settingLines(settings), timeZone: settings.timeZone ?? null };
}

/** The most issues of rows that a verdict shows. */
const SHOWN_ISSUES = 5;

/** What `check` says about a sample under the configuration that was built from it. */
export async function checkSample(
  file: string,
  yaml: string,
  folder: string,
  source: string,
  env: Surroundings['env'],
): Promise<CheckedFile> {
  const { config } = parseConfig(yaml, folder, env, 'unused');
  const paths = workspacePaths(folder, config);
  return check({ config, paths, clock: systemClock() }, { file, source, limit: SHOWN_ISSUES });
}
