import { basename } from 'node:path';
import { OperatorError } from '../../domain/operator-error.js';
import { openDrop } from '../../intake/open-drop.js';
import type { OpenedDrop } from '../../intake/opened-drop.js';
import { type InferredSample, inferSample, mappedCount } from '../../normalise/mapping/infer-sample.js';
import type { Operation } from '../../operations/operation.js';
import { sampleRows } from '../../reading/plan-drop.js';
import { clip } from '../../report/text/layout.js';
import { maskAddresses, maskText } from '../../report/words/mask.js';
import { settingLines } from '../../report/words/preset-words.js';
import type { SampleFindings } from './render-config.js';
import { sampleSettings } from './sample-settings.js';

/** How many rows of a sheet are looked at. */
const SAMPLE_ROWS = 1_000;

/** Reads from a sample file how its source is to be read. Throws OperatorError where the file has no header. */
export async function readSample(file: string, operation: Operation): Promise<SampleFindings> {
  const opened = await openDrop(file, {});
  const sheets = await inferSheets(opened, operation);
  const [best] = [...sheets].sort((a, b) => mappedCount(b.inferred) - mappedCount(a.inferred));
  if (!best) {
    throw new OperatorError({
      operation: 'read the sample',
      subject: file,
      message: `${basename(file)} has no line that looks like a header`,
      hint: 'Look at it with `registrar inspect`, or run init without --sample and write columns: by hand.',
      exit: 'attention',
    });
  }
  const others = sheets.filter(({ sheet }) => sheet !== best.sheet).flatMap(({ sheet }) => sheet ?? []);
  const settings = sampleSettings(best.sheet, others, best.inferred);
  return { ...findings(basename(file), best.inferred, operation, { settings }), ...encodingOf(opened) };
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
async function inferSheets(opened: OpenedDrop, operation: Operation): Promise<readonly InferredSheet[]> {
  const visible = opened.workbook?.sheets.filter(({ state }) => state === 'visible') ?? [];
  const names = opened.workbook ? visible.map(({ name }) => name) : [null];
  const found: InferredSheet[] = [];
  for (const sheet of names) {
    const inferred = inferSample(await sampleRows(opened, sheet ?? undefined, SAMPLE_ROWS), operation);
    if (inferred) found.push({ sheet, inferred });
  }
  return found;
}

function findings(
  fileName: string,
  mapping: InferredSample,
  operation: Operation,
  { settings }: Pick<SampleFindings, 'settings'>,
): SampleFindings {
  const dated = mapping.columns.find(({ dateOrder }) => dateOrder !== null);
  const defaults = [
    ...mapping.defaults.map(({ field, value, reason, confirm }) => ({
      field,
      value,
      reason: confirm ? `confirm: ${reason}` : reason,
    })),
    ...preambleDefaults(mapping, operation),
  ];
  const given = new Set(defaults.map(({ field }) => field));
  const { zone } = mapping.preamble;
  return {
    fileName,
    operation: operation.name,
    preset: presetFindings(mapping),
    missing: mapping.columns.flatMap(({ field, required, header, reason }) =>
      required && header === null && !given.has(field) ? [{ field, reason }] : [],
    ),
    columns: mapping.columns.flatMap(({ field, header, reason, example }) =>
      header === null ? [] : [{ field, header, reason: `${reason}${suchAs(field, example, operation)}` }],
    ),
    defaults,
    ...(zone && /^[A-Z]/.test(zone.value)
      ? { timeZone: { value: zone.value, reason: `line ${zone.line} of the file names it` } }
      : {}),
    ...(dated?.dateOrder
      ? { dateOrder: { value: dated.dateOrder, reason: `${dated.header} proves it` } }
      : {}),
    ...(mapping.noDate ? { noDate: mapping.noDate } : {}),
    settings,
    unmapped: mapping.unmapped,
  };
}

/** Values for all rows that no column gives and a line above the header does. */
function preambleDefaults({ columns, preamble }: InferredSample, operation: Operation) {
  const contents = operation.fields.filter(({ kind, required }) => kind === 'identifier' && required);
  const missing = columns.filter(
    ({ header, field }) => header === null && contents.some(({ name }) => name === field),
  );
  const isTitled = columns.some(({ field, header }) => field === 'content-title' && header !== null);
  const { content } = preamble;
  if (content === null || isTitled) return [];
  return missing.map(({ field }) => ({
    field,
    value: content.value,
    reason: `confirm: line ${content.line} of the file says ${content.label ?? 'so'}; for files of others it is another`,
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
