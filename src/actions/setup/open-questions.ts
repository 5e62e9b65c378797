import { cellText, isBlankCell } from '../../domain/row.js';
import { dateRules } from '../../normalise/field-reader.js';
import type { InferredDefault, InferredSample } from '../../normalise/infer/infer-mapping.js';
import type { DateOrder } from '../../normalise/time/date-order.js';
import { createOrderEvidence } from '../../normalise/time/order-evidence.js';
import { createScaleEvidence } from '../../normalise/values/score.js';
import type { Field, Operation } from '../../operations/operation.js';
import { clip } from '../../report/text/layout.js';

/** A column of a sample, shown so that a person recognises it. */
export interface SampleColumn {
  readonly header: string;
  /** Some of its values as is, which may be personal: shown to the person who sets up, and written to no file. */
  readonly values: readonly string[];
}

/** What a sample can't prove, and what a person needs to decide it. */
export type OpenQuestions = ReturnType<typeof openQuestions>;

const SHOWN_VALUES = 3;
const MAX_VALUE_CHARS = 24;

export function openQuestions(inferred: InferredSample, operation: Operation) {
  const date = columnOf('timestamp', inferred, operation);
  const score = columnOf('score', inferred, operation);
  const choicesOf = (field: string) => operation.fields.find(({ name }) => name === field)?.choices ?? [];
  const withChoices = (
    { field, reason }: Pick<InferredDefault, 'field' | 'reason'>,
    value: string | null,
  ) => ({ field, value, reason, choices: choicesOf(field) });
  const lacking = inferred.columns.filter((column) => isUncovered(column, inferred));
  const chosen = lacking.filter(({ field }) => choicesOf(field).length > 0);
  const [dateAt, scoreAt] = [date?.index ?? null, score?.index ?? null];
  return {
    sampleColumns: inferred.headers.flatMap((header, index) =>
      header.trim() === '' ? [] : [sampleColumn(inferred, index)],
    ),
    /** Fields without a column, or with a guessed one, which is `header`. */
    columns: inferred.columns.filter(
      (column) => column.isDoubtful || (lacking.includes(column) && !chosen.includes(column)),
    ),
    /** Values for all rows that are a guess; null: there is none. */
    defaults: [
      ...inferred.defaults.flatMap((guess) => (guess.confirm ? [withChoices(guess, guess.value)] : [])),
      ...chosen.map((column) => withChoices(column, null)),
    ],
    /** The column of dates that fit both orders of day and month; null: the order is proven or not needed. */
    dateOrder: dateAt !== null && isOrderOpen(inferred, dateAt) ? sampleColumn(inferred, dateAt) : null,
    /** The column of numbers up to 10 that fit several scales; null likewise. */
    scale: scoreAt !== null && isScaleOpen(inferred, scoreAt) ? sampleColumn(inferred, scoreAt) : null,
    /** False where every time of the sample says its zone, and for operations without times. */
    needsZone: date !== undefined && !date.carriesZone,
  };
}

/** True for a required field with neither a column nor a default. */
export function isUncovered(
  { field, header, required }: InferredSample['columns'][number],
  { defaults }: InferredSample,
): boolean {
  return required && header === null && !defaults.some((constant) => constant.field === field);
}

/** The first field of a kind, with its column; undefined: the operation has none. */
function columnOf(kind: Field['kind'], { columns }: InferredSample, operation: Operation) {
  const name = operation.fields.find((field) => field.kind === kind)?.name;
  return columns.find(({ field }) => field === name);
}

function sampleColumn({ headers, below }: InferredSample, index: number): SampleColumn {
  const values = new Set<string>();
  for (const { cells } of below) {
    const cell = cells[index] ?? null;
    if (!isBlankCell(cell)) values.add(clip(cellText(cell).trim(), MAX_VALUE_CHARS));
    if (values.size === SHOWN_VALUES) break;
  }
  return { header: headers[index] ?? '', values: [...values] };
}

/** The order of day and month that the dates of a sample prove; null: none. */
export function provenOrder(
  inferred: InferredSample,
  operation: Operation,
): { readonly order: DateOrder; readonly header: string } | null {
  const date = columnOf('timestamp', inferred, operation);
  if (!date || date.header === null || date.index === null) return null;
  const evidence = createOrderEvidence();
  for (const { cells, line } of inferred.below) evidence.add(cells[date.index] ?? null, line);
  const order = evidence.proof();
  // Written into registrar.yaml, the order would settle a question that a person must answer.
  return order === null || evidence.issue('') !== null ? null : { order, header: date.header };
}

/** True where dates are numeric and none of the sample is possible in one order alone. */
function isOrderOpen({ below, preset }: InferredSample, index: number): boolean {
  if (preset?.settings.dateOrder ?? preset?.settings.datePatterns) return false;
  // `check` raises the question of two-digit years; the order is open with it too.
  const rules = dateRules({ twoDigitYears: 2000, languages: undefined, zoneNames: {} });
  const evidence = createOrderEvidence(rules);
  for (const { cells, line } of below) evidence.add(cells[index] ?? null, line);
  return evidence.isAsked() && evidence.proof() === null && evidence.issue('') === null;
}

function isScaleOpen({ below, preset }: InferredSample, index: number): boolean {
  if (preset?.settings.scale !== undefined) return false;
  const evidence = createScaleEvidence(null);
  for (const { cells, line } of below) evidence.add(cells[index] ?? null, line);
  return evidence.isAsked();
}
