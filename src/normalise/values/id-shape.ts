import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import { type Cell, isBlankCell } from '../../domain/row.js';
import { isPathSegment } from '../../domain/text/path-segment.js';
import { FORMAT_AS_TEXT, readIdentifier } from './identifier.js';
import { type Reading, refuse, UNDECIDED } from './reading.js';
import { trimText } from './trim-text.js';

/** A column's evidence of identifiers that a spreadsheet has damaged. */
export interface IdShape {
  /** Digits of all identifiers that begin with zero; a shorter number has lost its zeros. null: there is no such width. */
  readonly width: number | null;
  /** True where a value such as 3-Apr stands among codes, so that it was one. */
  readonly datesAreCodes: boolean;
}

/** Collects the shape of one column. */
export interface ShapeEvidence {
  add(cell: Cell | undefined): void;
  /** null: the column proves nothing. */
  shape(): IdShape | null;
  /** True when the other values decide whether some value was damaged. */
  isAsked(): boolean;
}

/**
 * Evidence before any cell. Where all identifiers of digits that begin with zero have one width, a shorter identifier has lost
 * its zeros; a single one with zeros doesn't prove that against more shorter ones. Dates as spreadsheets show them (3-Apr,
 * Mar-24) were codes where most of the other values are no such dates.
 */
export function createShapeEvidence(): ShapeEvidence {
  const padded = new Map<number, number>();
  const plain = new Map<number, number>();
  let dates = 0;
  let codes = 0;
  const paddedWidth = () => (padded.size === 1 ? ([...padded.keys()][0] ?? null) : null);
  const shorterThan = (width: number) =>
    [...plain].reduce((sum, [digits, count]) => sum + (digits < width ? count : 0), 0);
  return {
    add: (cell) => {
      const form = idForm(cell);
      if (form === 'none') return;
      if (form === 'date') {
        dates += 1;
        return;
      }
      codes += 1;
      if (typeof form === 'string') return;
      const widths = form.isPadded ? padded : plain;
      widths.set(form.digits, (widths.get(form.digits) ?? 0) + 1);
    },
    shape: () => {
      const width = paddedWidth();
      const count = width === null ? 0 : (padded.get(width) ?? 0);
      const shorter = width === null ? 0 : shorterThan(width);
      const isSure = width !== null && (count > 1 || shorter <= count + (plain.get(width) ?? 0));
      const datesAreCodes = codes > dates;
      return width === null && dates === 0 ? null : { width: isSure ? width : null, datesAreCodes };
    },
    isAsked: () => {
      const width = paddedWidth();
      return dates > 0 || padded.size > 1 || (width !== null && shorterThan(width) > 0);
    },
  };
}

/** How an identifier is damaged, by its column's evidence; null: it shows no damage. */
function damageIn(cell: Cell | undefined, shape: IdShape | null): 'zeros' | 'date' | null {
  if (shape === null) return null;
  const form = idForm(cell);
  if (form === 'date') return shape.datesAreCodes ? 'date' : null;
  if (typeof form === 'string' || shape.width === null) return null;
  return !form.isPadded && form.digits < shape.width ? 'zeros' : null;
}

/** True when only the whole column can prove whether the identifier is damaged, after a sample with this shape. */
function asksForColumn(cell: Cell | undefined, sampled: IdShape | null): boolean {
  const form = idForm(cell);
  if (form === 'date') return true;
  if (typeof form === 'string') return false;
  const width = sampled?.width ?? null;
  return form.isPadded ? form.digits !== width : width !== null && form.digits < width;
}

type IdForm = 'none' | 'code' | 'date' | { readonly digits: number; readonly isPadded: boolean };

function idForm(cell: Cell | undefined): IdForm {
  if (typeof cell === 'number') {
    return Number.isInteger(cell) && cell >= 0 ? { digits: String(cell).length, isPadded: false } : 'code';
  }
  if (typeof cell !== 'string' || isBlankCell(cell)) return 'none';
  const text = trimText(cell);
  const first = text.charCodeAt(0);
  const isDigit = first >= 48 && first <= 57;
  if (isDigit && /^\d{1,15}$/.test(text))
    return { digits: text.length, isPadded: first === 48 && text.length > 1 };
  return text.length <= LONGEST_DATE && spreadsheetDate().test(text) ? 'date' : 'code';
}

const LONGEST_DATE = 19;

/** Abbreviations as spreadsheets of several languages show them, never in capitals: MAR-24 is a code. */
const spreadsheetDate = once(() => {
  const months = words('spreadsheet.months').flatMap((name) => [
    name,
    `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  ]);
  const month = `(?:${months.join('|')})`;
  return new RegExp(
    `^(?:\\d{1,2}(?:[-/ ]|\\. ?)${month}\\.?(?:[-/ ]\\d{2,4})?|${month}\\.?[-/ ]\\d{1,4}|\\d{1,2}([-/.])\\d{1,2}\\1(?:19|20)\\d\\d|(?:19|20)\\d\\d-\\d\\d-\\d\\d(?: 00:00:00)?)$`,
  );
});

/** The facts about an identifier's column. */
export interface CodeContext {
  readonly column: string;
  readonly shape: IdShape | null;
  /** False where only the first rows are known. */
  readonly isWholeColumn: boolean;
}

/** `readIdentifier` for a cell of a column, whose other cells may show that it is damaged. */
export function readCode(cell: Cell | undefined, context: CodeContext): Reading<string> {
  const { column, shape, isWholeColumn } = context;
  if (!isWholeColumn && asksForColumn(cell, shape)) return UNDECIDED;
  const damage = damageIn(cell, shape);
  if (damage === null) return readIdentifier(cell, context);
  const because =
    damage === 'date'
      ? 'is a date among codes: a spreadsheet has probably made it of a code'
      : `has lost its zeros: the others that begin with zero have ${shape?.width} digits`;
  return refuse('identifier-damaged', column, cell, because, FORMAT_AS_TEXT);
}

/** `readCode` for an identifier that stands in the path of a request, where it must not lead anywhere else. */
export function readSegment(cell: Cell | undefined, context: CodeContext): Reading<string> {
  const reading = readCode(cell, context);
  if (!('value' in reading) || reading.value === null || isPathSegment(reading.value)) return reading;
  const because =
    'would lead to another place of the platform: dots, slashes or backslashes are not enough to name one thing';
  const remedy = 'correct the identifier in the file';
  return refuse('identifier-invalid', context.column, cell, because, remedy);
}
