import { type Cell, isBlankCell, isBlankRow } from '../../domain/row.js';
import { timeOfCell } from '../time/time-of-day.js';
import { hasWordOf, wordPattern } from '../values/word-pattern.js';
import type { HeaderColumn } from './header-column.js';
import { SAMPLE_ROWS } from './sample-values.js';

/**
 * The columns with the time of day of a column of dates: none where the dates have times themselves, or where the column holds
 * other values. `isDoubtful` where the times may be durations.
 * @param columns the unmapped columns; @param sample rows below the header.
 */
export function timeColumns(
  field: string,
  columns: readonly HeaderColumn[],
  date: { readonly index: number; readonly text: string },
  sample: readonly (readonly Cell[])[],
): readonly { readonly column: HeaderColumn; readonly isDoubtful: boolean }[] {
  const rows = sample.filter((cells) => !isBlankRow(cells)).slice(0, SAMPLE_ROWS);
  if (rows.some((cells) => hasTime(cells[date.index]))) return [];
  const found = columns.flatMap((column) => {
    const kinship = kinshipOf(field, column, date);
    if (kinship === null) return [];
    const cells = rows.map((row) => row[column.index]).filter((cell) => !isBlankCell(cell));
    const times = cells.map((cell) => timeOfCell(cell)).filter((time) => time !== 'none');
    const known = times.filter((time) => time !== null);
    // A column that is clearly named may hold unreadable values, which are reported row by row.
    const isTime = kinship === 'named' ? known.length * 2 >= times.length : known.length === cells.length;
    if (!isTime || (kinship === 'beside' && known.length === 0)) return [];
    const isShort = known.length > 0 && known.every(({ timeMs }) => timeMs < LONGEST_TAKEN_MS);
    const isDoubtful = isShort && !cells.some((cell) => typeof cell === 'string' && SAYS_CLOCK.test(cell));
    return [{ column, kinship, isDoubtful }];
  });
  const named = found.filter(({ kinship }) => kinship === 'named');
  return named.length > 0 ? named : found;
}

/** A column of times all before this hour of the day may be one of durations. */
const LONGEST_TAKEN_MS = 6 * 3_600_000;
const SAYS_CLOCK = /[ap]\.?m\b|uhr/i;

/**
 * How a column's header relates to the date's. `named`: it has the field's own name, or that of a completion, or it differs from
 * the date's header in one word; `beside`: it only names a time, next to the date's column.
 */
function kinshipOf(
  field: string,
  { text, index, matches }: HeaderColumn,
  date: { readonly index: number; readonly text: string },
): 'named' | 'beside' | null {
  if (matches.some((match) => match.field === field)) return 'named';
  if (!timeWord().test(text)) return null;
  const stem = stemOf(text.replace(timeWord(), ' '));
  if (stem === COMPLETION || stem === stemOf(date.text.replace(dateWord(), ' '))) return 'named';
  return stem === '' && Math.abs(index - date.index) === 1 ? 'beside' : null;
}

const timeWord = wordPattern('other-headers.time');
const dateWord = wordPattern('other-headers.date');
const isCompletion = hasWordOf('other-headers.completion');

const COMPLETION = 'completion';

/** A header without its word for date or time; all words for a completion are one. */
function stemOf(rest: string): string {
  return rest
    .split(/[\s\-_()/:]+|(?<!\p{L})d'/u)
    .filter((word) => word !== '' && !PARTICLES.has(word))
    .map((word) => (word === 'compl' || isCompletion(word) ? COMPLETION : word))
    .join(' ');
}

const PARTICLES = new Set(['on', 'at', 'of', 'the', 'de', 'del', 'la', 'le', 'am', 'um']);

/** True for a date that says a time of day; midnight alone is how a day is written. */
function hasTime(cell: Cell | undefined): boolean {
  if (typeof cell === 'object' && cell !== null && 'date' in cell)
    return !cell.date.includes('T00:00:00.000');
  return typeof cell === 'string' && CLOCK_IN_DATE.test(cell.replace(MIDNIGHT, ''));
}

const CLOCK_IN_DATE = /\d[:h]\d\d|\d ?[ap]\.?m\b/i;
const MIDNIGHT = /[T ]0?0:00(?::00(?:\.0+)?)?\s*$/;
