import { type Cell, cellText, isBlankCell, type Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { headerKey, normaliseHeader } from './header/header-text.js';
import type { RecordColumns } from './header/noise.js';
import { type FoundHeader, isHeader } from './mapping/find-header.js';
import { aliasMatches } from './mapping/header-aliases.js';
import type { ColumnSource } from './mapping/map-field.js';
import { matchHeaders } from './mapping/match-headers.js';

/**
 * The function that recognises headers among the rows that turned out to be no records: `own` is the drop's own header in another
 * notation, `other` the header of another table, null a row of data. A header has several different texts, no address among the
 * learners and no digit among the times. That of another table names what a record is about; or shares two names with the drop's
 * own, either half of its texts or without a digit in any; or is apart and has words without a digit for learner, content and time.
 */
export function createHeaderFinder(
  operation: Operation,
  header: FoundHeader,
  source: ColumnSource,
  { learners, times, named }: RecordColumns,
): (row: Row, isApart: boolean) => 'own' | 'other' | null {
  // A number is no name that tables share: if the first row of data was taken for the header, other rows have the number too.
  const names = new Set(header.columns.map(headerKey).filter((name) => /\p{L}/u.test(name)));
  const mapped = Object.values(header.match.mapped);

  return ({ cells }, isApart) => {
    const words = cells.filter((cell) => !isBlankCell(cell));
    if (words.length < 2 || new Set(words).size < words.length) return null;
    const texts = words.filter((cell) => typeof cell === 'string');
    if (texts.length < words.length) return null;
    if (learners.some((index) => cellText(cells[index]).includes('@'))) return null;
    if (times.some((index) => /\d/.test(cellText(cells[index])))) return null;
    const repeats = mapped.every(
      (column) => headerKey(cellText(cells[column.index])) === headerKey(column.header),
    );
    if (repeats) return 'own';
    const shared = texts.filter((word) => names.has(headerKey(word))).length;
    if (shared >= 2 && (shared * 2 >= texts.length || !texts.some((word) => /\d/.test(word)))) return 'other';
    if (namesRecord(texts, cells)) return 'other';
    const isOfWords = named.every((index) => /^\D*\p{L}\D*$/u.test(cellText(cells[index])));
    return isApart && times.length > 0 && isOfWords ? 'other' : null;
  };

  function namesRecord(words: readonly string[], cells: readonly Cell[]): boolean {
    // Few refused rows name a field, and matching one with all known headers takes longer than all other work.
    if (!words.some((word) => aliasMatches(normaliseHeader(word).text, operation).length > 0)) return false;
    const match = matchHeaders(cells.map(cellText), operation, source);
    const count = Object.keys(match.mapped).length + match.ambiguous.length;
    return count >= 2 && isHeader(match, operation, source);
  }
}
