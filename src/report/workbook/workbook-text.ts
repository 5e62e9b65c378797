import { clippedToCell } from '../../domain/text/clipped-text.js';

/**
 * The text in the form in which a cell of a workbook holds it. Characters that XML can't hold, and the carriage return,
 * which XML readers change, are escaped like `_x000D_` (ECMA-376 part 1, 22.4.2.4 ST_Xstring); in text that looks like such
 * an escape the underscore is escaped. Readers of the workbook undo this. NUL, which has no escape, becomes ␀.
 */
function workbookText(text: string): string {
  return text
    .replace(ESCAPE_LIKE, '_x005F_')
    .replaceAll('\0', '␀')
    .replace(ILLEGAL, (character) => `_x${hex4(character)}_`);
}

/** DEL is allowed in XML, but exceljs leaves it out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ILLEGAL = /[\x01-\x08\x0b-\x1f\x7f\ufffe\uffff]/g;

const ESCAPE_LIKE = /_(?=x[0-9a-f]{4}_)/gi;

function hex4(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** A text as one run in the cell itself, clipped where it is too long: exceljs would turn plain text into a formula's result. */
export function cellWithText(text: string) {
  return { richText: [{ text: workbookText(clippedToCell(text)) }] };
}
