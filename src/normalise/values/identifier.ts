import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import { type Cell, isBlankCell, isDateCell, LARGEST_KEPT_INTEGER } from '../../domain/row.js';
import { capitalized } from '../../domain/text/count-of.js';
import { EXPORT_AS_UTF8, garbling } from '../../domain/text/garbled-text.js';
import { isPathSegment } from '../../domain/text/path-segment.js';
import { ABSENT, type ColumnEvidence, type Reading, refuse, refuseFor, UNDECIDED } from './reading.js';
import { isPlaceholder, trimText, unprotected } from './trim-text.js';
import { wordSet } from './word-pattern.js';

/** An identifier as text: case and zeros are kept, the wrappings `="00123"` and `'00123` come off, a damaged value is refused. */
export function readIdentifier(
  cell: Cell | undefined,
  context: { readonly column: string },
): Reading<string> {
  const { column } = context;
  if (isBlankCell(cell)) return ABSENT;
  if (typeof cell === 'string') return readText(cell, column);
  // A date or a truth value is what a spreadsheet makes of codes such as 3-4 or TRUE.
  if (typeof cell === 'boolean' || isDateCell(cell)) return refuseFor('made-of-identifier', column, cell);
  if (typeof cell === 'number' && Number.isInteger(cell)) {
    return Math.abs(cell) > LARGEST_KEPT_INTEGER
      ? refuseFor('made-of-identifier', column, cell)
      : { value: String(cell) };
  }
  return refuseFor('no-identifier', column, cell);
}

function readText(cell: string, column: string): Reading<string> {
  const text = unwrap(cell);
  if (text === '' || isPlaceholder(text)) return ABSENT;
  if (ROUNDED.test(text) || TOO_NARROW.test(text) || truthValues().has(text.toLowerCase()))
    return refuseFor('made-of-identifier', column, cell);
  if (FORMULA_ERROR.test(text)) return refuseFor('formula-error', column, cell);
  // Trimming takes a no-break space off, the second half of an "à" that was read wrong.
  const garbled = garbling(cell) ?? garbling(text);
  if (garbled !== null) return refuse('identifier-damaged', column, cell, garbled, EXPORT_AS_UTF8);
  if (/\p{Cc}/u.test(text)) return refuseFor('control-character', column, cell);
  return { value: text };
}

/** A large number as a spreadsheet shows it: its digits are lost. */
const ROUNDED = /^[+-]?(?:\d+(?:[.,]\d+)?e\+\d+|\d+[.,]\d+e\d+)$/i;
/** What a spreadsheet shows in a column that is too narrow, and saves as text. */
const TOO_NARROW = /^#{2,}$/;
const FORMULA_ERROR = /^#(?:n\/a|ref!|value!|name\?|div\/0!|null!|num!)$/i;
/** As spreadsheets write them. */
const truthValues = wordSet('spreadsheet.truth');

/** Removes the wrappings that protect the text from a spreadsheet, as often as they were added. */
function unwrap(cell: string): string {
  let text = trimText(cell).normalize('NFC');
  for (let inner = unprotected(text); inner !== text; inner = unprotected(text)) text = trimText(inner);
  return text;
}

/** A column's evidence of identifiers that a spreadsheet has damaged. */
export interface IdShape {
  /** Digits of all identifiers that begin with zero; a shorter number has lost its zeros. null: there is no such width. */
  readonly width: number | null;
  /** True where a value such as 3-Apr is among codes, so that it was one. */
  readonly datesAreCodes: boolean;
}

/**
 * Where all numbers that begin with zero have one width, a shorter one has lost its zeros; a single one doesn't prove that against more
 * shorter ones. Dates as spreadsheets show them (3-Apr) were codes where most other values are no such dates.
 */
export function createShapeEvidence(): ColumnEvidence<IdShape> {
  const padded = new Map<number, number>();
  const unpadded = new Map<number, number>();
  let dates = 0;
  let codes = 0;
  const paddedWidth = () => (padded.size === 1 ? ([...padded.keys()][0] ?? null) : null);
  const shorterThan = (width: number) =>
    [...unpadded].reduce((sum, [digits, count]) => sum + (digits < width ? count : 0), 0);
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
      const widths = form.isPadded ? padded : unpadded;
      widths.set(form.digits, (widths.get(form.digits) ?? 0) + 1);
    },
    proof: () => {
      const width = paddedWidth();
      const count = width === null ? 0 : (padded.get(width) ?? 0);
      const shorter = width === null ? 0 : shorterThan(width);
      const isSure = width !== null && (count > 1 || shorter <= count + (unpadded.get(width) ?? 0));
      const datesAreCodes = codes > dates;
      return width === null && dates === 0 ? null : { width: isSure ? width : null, datesAreCodes };
    },
    isAsked: () => {
      const width = paddedWidth();
      return dates > 0 || padded.size > 1 || (width !== null && shorterThan(width) > 0);
    },
  };
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
  const months = words('spreadsheet.months').flatMap((name) => [name, capitalized(name)]);
  const month = `(?:${months.join('|')})`;
  return new RegExp(
    `^(?:\\d{1,2}(?:[-/ ]|\\. ?)${month}\\.?(?:[-/ ]\\d{2,4})?|${month}\\.?[-/ ]\\d{1,4}|\\d{1,2}([-/.])\\d{1,2}\\1(?:19|20)\\d\\d|(?:19|20)\\d\\d-\\d\\d-\\d\\d(?: 00:00:00)?)$`,
  );
});

export interface CodeContext {
  readonly column: string;
  readonly shape: IdShape | null;
  /** False where only the first rows are known. */
  readonly isWholeColumn: boolean;
}

/** `readIdentifier` for a cell of a column, whose other cells may show that it is damaged. */
export function readCode(cell: Cell | undefined, context: CodeContext): Reading<string> {
  const { column, shape, isWholeColumn } = context;
  const form = shape === null && isWholeColumn ? 'none' : idForm(cell);
  if (form === 'date') {
    if (!isWholeColumn) return UNDECIDED;
    if (shape?.datesAreCodes) return refuseFor('date-among-codes', column, cell);
  } else if (typeof form === 'object') {
    const width = shape?.width ?? null;
    const isShort = !form.isPadded && width !== null && form.digits < width;
    if (!isWholeColumn && (isShort || (form.isPadded && form.digits !== width))) return UNDECIDED;
    if (isShort) return refuseFor('zeros-lost', column, cell, { width });
  }
  return readIdentifier(cell, context);
}

/** `readCode` for an identifier in the path of a request, where it must not lead anywhere else. */
export function readSegment(cell: Cell | undefined, context: CodeContext): Reading<string> {
  const reading = readCode(cell, context);
  if (!('value' in reading) || reading.value === null || isPathSegment(reading.value)) return reading;
  return refuseFor('leads-elsewhere', context.column, cell);
}

/** The type of identifiers that are addresses of pages; publicly known, not in the specification. */
export const URL_TYPE = 'ContentUrl';

/** True for the address of a page. */
export function isUrl(cell: Cell | undefined): boolean {
  return typeof cell === 'string' && /^https?:\/\/[^\s/]+\S*$/i.test(trimText(cell));
}

/** The refusal of the address of a page, where nothing says the type of identifiers; null: the cell is none. */
export function refuseUrl(
  cell: Cell | undefined,
  column: string,
  typeField: string,
): ReturnType<typeof refuse> | null {
  return isUrl(cell) ? refuseFor('url-untyped', column, cell, { field: typeField, type: URL_TYPE }) : null;
}
