import { type Cell, isBlankCell, LARGEST_KEPT_INTEGER } from '../../domain/row.js';
import { EXPORT_AS_UTF8, garbling } from '../../domain/text/garbled-text.js';
import { ABSENT, type Reading, refuse } from './reading.js';
import { isPlaceholder, trimText } from './trim-text.js';
import { wordSet } from './word-pattern.js';

/**
 * An identifier as text: case and leading zeros are kept, a whole number becomes its exact digits, the wrappings `="00123"` and
 * `'00123` come off. A value that a spreadsheet or a wrong encoding has damaged is refused, never repaired.
 */
export function readIdentifier(
  cell: Cell | undefined,
  context: { readonly column: string },
): Reading<string> {
  if (isBlankCell(cell)) return ABSENT;
  if (typeof cell === 'string') return readText(cell, context.column);
  if (typeof cell === 'number') return readNumber(cell, context.column);
  const because = kindOfCell(cell);
  return refuse(
    isConverted(cell) ? 'identifier-damaged' : 'identifier-invalid',
    context.column,
    cell,
    because,
    FORMAT_AS_TEXT,
  );
}

/** The remedy for identifiers that a spreadsheet has changed. */
export const FORMAT_AS_TEXT =
  'format the column as text in the system that writes the file and export it again';

function readText(cell: string, column: string): Reading<string> {
  const text = unwrap(cell);
  if (text === '' || isPlaceholder(text)) return ABSENT;
  if (/^[+-]?(?:\d+(?:[.,]\d+)?e\+\d+|\d+[.,]\d+e\d+)$/i.test(text)) {
    const because = 'is an identifier that a spreadsheet turned into a rounded number; its digits are lost';
    return refuse('identifier-damaged', column, cell, because, FORMAT_AS_TEXT);
  }
  if (/^#(?:n\/a|ref!|value!|name\?|div\/0!|null!|num!)$/i.test(text)) {
    const because = 'is an error of a spreadsheet formula';
    const remedy = 'correct the formula in the file';
    return refuse('identifier-invalid', column, cell, because, remedy);
  }
  if (/^#{2,}$/.test(text)) {
    const because =
      'is what a spreadsheet shows instead of a value: the column was too narrow when the file was saved as text';
    const remedy = 'widen the column and save the file again';
    return refuse('identifier-damaged', column, cell, because, remedy);
  }
  if (truthValues().has(text.toLowerCase())) {
    const because = 'is a truth value, not an identifier: a spreadsheet may have converted it';
    return refuse('identifier-damaged', column, cell, because, FORMAT_AS_TEXT);
  }
  // Trimming takes a no-break space off, the second half of an "à" that was read wrong.
  const garbled = garbling(cell) ?? garbling(text);
  if (garbled !== null) return refuse('identifier-damaged', column, cell, garbled, EXPORT_AS_UTF8);
  if (hasControlCharacter(text)) {
    const because = 'has a line break or another control character inside';
    const remedy = 'correct the identifier in the file';
    return refuse('identifier-invalid', column, cell, because, remedy);
  }
  return { value: text };
}

/** As spreadsheets write them. */
const truthValues = wordSet('spreadsheet.truth');

/** A date or a truth value is what a spreadsheet makes of codes such as 3-4 or TRUE. */
function isConverted(cell: Cell | undefined): boolean {
  return typeof cell === 'boolean' || (typeof cell === 'object' && cell !== null && 'date' in cell);
}

function readNumber(cell: number, column: string): Reading<string> {
  if (!Number.isInteger(cell)) {
    return refuse('identifier-invalid', column, cell, 'is a number with decimals', FORMAT_AS_TEXT);
  }
  if (Math.abs(cell) > LARGEST_KEPT_INTEGER) {
    const because = 'has more digits than a spreadsheet keeps; its last digits are not sure';
    return refuse('identifier-damaged', column, cell, because, FORMAT_AS_TEXT);
  }
  return { value: String(cell) };
}

/** Removes the wrappings that protect the text from a spreadsheet, as often as they were added. */
function unwrap(cell: string): string {
  let text = trimText(cell).normalize('NFC');
  for (;;) {
    const inner = /^="([^"]*)"$/.exec(text)?.[1] ?? withoutApostrophes(text);
    if (inner === null) return text;
    text = trimText(inner);
  }
}

function withoutApostrophes(text: string): string | null {
  if (!text.startsWith("'")) return null;
  return text.slice(1, text.length > 1 && text.endsWith("'") ? -1 : undefined);
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

function kindOfCell(cell: Cell | undefined): string {
  if (typeof cell === 'boolean')
    return 'is a truth value, not an identifier: a spreadsheet may have converted it';
  if (typeof cell === 'object' && cell !== null) {
    if ('date' in cell) return 'is a date, not an identifier: a spreadsheet may have converted it';
    if ('error' in cell) {
      return cell.error.includes('␀') ? 'holds a NUL character' : 'is an error of a spreadsheet formula';
    }
  }
  return 'is a percentage, not an identifier';
}
