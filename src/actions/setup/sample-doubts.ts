import { cellText, isBlankCell } from '../../domain/row.js';
import { dateRules } from '../../normalise/field-reader.js';
import type { InferredSample } from '../../normalise/infer/infer-mapping.js';
import { createOrderEvidence } from '../../normalise/time/order-evidence.js';
import { createScaleEvidence } from '../../normalise/values/score.js';
import type { Operation } from '../../operations/operation.js';
import { clip } from '../../report/text/layout.js';

/** A column of a sample as a person recognises it. */
export interface SeenColumn {
  readonly header: string;
  /** Some of its values as they stand, which may be personal: for the eyes of the person who sets up, and for no file. */
  readonly values: readonly string[];
}

/** What a sample can't prove, and what a person needs to decide it. */
export interface SampleDoubts {
  /** The columns that have a header, in the order of the file. */
  readonly seen: readonly SeenColumn[];
  /** Fields whose column is missing or is a guess. `header` is the guess. */
  readonly columns: readonly {
    readonly field: string;
    readonly header: string | null;
    readonly required: boolean;
    readonly reason: string;
  }[];
  /** Values for all rows that are a guess. */
  readonly defaults: readonly {
    readonly field: string;
    /** null: there is no guess. */
    readonly value: string | null;
    readonly reason: string;
    readonly choices: readonly string[];
  }[];
  /** The column of dates that fit both orders of day and month; null: the order is proven or not needed. */
  readonly dateOrder: SeenColumn | null;
  /** The column of numbers up to 10 that fit several scales; null likewise. */
  readonly scale: SeenColumn | null;
  /** False where every time of the sample says its zone, and for operations without times. */
  readonly needsZone: boolean;
}

/** How many values of a column are shown, and how long each may be. */
const SHOWN_VALUES = 3;
const LONGEST_VALUE = 24;

/**
 * The doubts that a sample leaves.
 * @param defaults the values for all rows that the set-up would write, guesses marked.
 */
export function sampleDoubts(
  inferred: InferredSample,
  operation: Operation,
  defaults: readonly {
    readonly field: string;
    readonly value: string;
    readonly reason: string;
    readonly confirm: boolean;
  }[],
): SampleDoubts {
  const given = new Set(defaults.map(({ field }) => field));
  const seen = (index: number) => seenColumn(inferred, index);
  const indexOf = (kind: string) => {
    const field = operation.fields.find((one) => one.kind === kind)?.name;
    return inferred.columns.find((column) => column.field === field)?.index ?? null;
  };
  const [date, score] = [indexOf('timestamp'), indexOf('score')];
  const time = operation.fields.find(({ kind }) => kind === 'timestamp')?.name;
  const isMissing = ({ field, header, required }: InferredSample['columns'][number]) =>
    required && header === null && !given.has(field);
  const choicesOf = (field: string) => operation.fields.find(({ name }) => name === field)?.choices ?? [];
  return {
    seen: inferred.headers.flatMap((header, index) => (header.trim() === '' ? [] : [seen(index)])),
    columns: inferred.columns.flatMap((column) => {
      const { field, header, required } = column;
      const reason = column.question ?? column.reason;
      const isAsked = column.isDoubtful || (isMissing(column) && choicesOf(field).length === 0);
      return isAsked ? [{ field, header, required, reason }] : [];
    }),
    defaults: [
      ...defaults.flatMap(({ confirm, ...guess }) =>
        confirm ? [{ ...guess, choices: choicesOf(guess.field) }] : [],
      ),
      ...inferred.columns.flatMap((column) => {
        const choices = choicesOf(column.field);
        const { field, reason } = column;
        return isMissing(column) && choices.length > 0 ? [{ field, value: null, reason, choices }] : [];
      }),
    ],
    dateOrder: date !== null && isOrderOpen(inferred, date) ? seen(date) : null,
    scale: score !== null && isScaleOpen(inferred, score) ? seen(score) : null,
    needsZone:
      time !== undefined && inferred.columns.find(({ field }) => field === time)?.carriesZone !== true,
  };
}

function seenColumn({ headers, below }: InferredSample, index: number): SeenColumn {
  const values = new Set<string>();
  for (const { cells } of below) {
    const cell = cells[index] ?? null;
    if (!isBlankCell(cell)) values.add(clip(cellText(cell).trim(), LONGEST_VALUE));
    if (values.size === SHOWN_VALUES) break;
  }
  return { header: headers[index] ?? '', values: [...values] };
}

/** True where dates are numeric and none of the sample is possible in one order alone. */
function isOrderOpen({ below, preset }: InferredSample, index: number): boolean {
  if (preset?.settings.dateOrder ?? preset?.settings.datePatterns) return false;
  // A year of two digits is asked about in registrar.yaml; the order is open with it too.
  const evidence = createOrderEvidence(
    dateRules({ twoDigitYears: 2000, languages: undefined, zoneNames: {} }),
  );
  for (const { cells, line } of below) evidence.add(cells[index] ?? null, line);
  return evidence.isAsked() && evidence.order() === null && evidence.issue('') === null;
}

function isScaleOpen({ below, preset }: InferredSample, index: number): boolean {
  if (preset?.settings.scale !== undefined) return false;
  const evidence = createScaleEvidence(null);
  for (const { cells, line } of below) evidence.add(cells[index] ?? null, line);
  const proven = evidence.scale();
  return evidence.isAsked() && (proven === null || proven.scale === 'unclear');
}
