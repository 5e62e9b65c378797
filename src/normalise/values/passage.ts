import { type Cell, cellText } from '../../domain/row.js';
import { ABSENT, type Reading } from '../reading.js';

/**
 * Characters that show nothing: zero-width space and no-break space, word joiner, soft hyphen, direction marks, and
 * control characters but tab and line end. A zero-width joiner and non-joiner shape letters and emoji, and stay.
 */
const SHOWS_NOTHING = /(?![\n\t])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/**
 * A text that the platform shows: a title, a name, a description (specification §2.5). In composed form (NFC), without
 * invisible characters, its line ends LF; its Markdown is left as it stands.
 */
export function readPassage(cell: Cell | undefined): Reading<string> {
  if (cell !== null && typeof cell === 'object' && 'error' in cell) return ABSENT;
  const text = cellText(cell).replace(/\r\n?/g, '\n').replace(SHOWS_NOTHING, '').trim().normalize('NFC');
  return text === '' ? ABSENT : { value: text };
}
