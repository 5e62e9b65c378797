import { type Cell, cellText } from '../../domain/row.js';
import { ABSENT, type Reading } from './reading.js';
import { trimText } from './trim-text.js';

/**
 * A text for people, on one line and in composed form (NFC). It is never refused: an error value of a workbook counts as empty.
 */
export function readText(cell: Cell | undefined): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const text = trimText(cellText(cell)).normalize('NFC').replace(/\s+/g, ' ');
  return text === '' ? ABSENT : { value: text };
}

/**
 * The texts of a cell that may list several, each as `readText` reads it, one a line; without empty ones and repetitions. Line
 * ends separate texts as well as the separator: Alt+Enter in a spreadsheet.
 */
export function readList(cell: Cell | undefined, separator: string): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const texts = cellText(cell)
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .flatMap((line) => line.split(separator))
    .flatMap((text) => {
      const reading = readText(text);
      return 'value' in reading && reading.value !== null ? [reading.value] : [];
    });
  return texts.length === 0 ? ABSENT : { value: [...new Set(texts)].join('\n') };
}

/**
 * A text that the platform shows: a title, a name, a description (specification §2.5). In composed form (NFC), without
 * invisible characters, its line ends LF; its Markdown is left as it stands.
 */
export function readPassage(cell: Cell | undefined): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const text = cellText(cell).replace(/\r\n?/g, '\n').replace(SHOWS_NOTHING, '').trim().normalize('NFC');
  return text === '' ? ABSENT : { value: text };
}

/**
 * Invisible characters: zero-width space and no-break space, word joiner, soft hyphen, direction marks, and control characters
 * except tab and line end. A zero-width joiner and non-joiner shape letters and emoji, and stay.
 */
const SHOWS_NOTHING = /(?![\n\t])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
