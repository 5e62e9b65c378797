import { words } from '../../config/words/words.js';
import { once } from '../../domain/process/once.js';
import { type Cell, isBlankCell, type Row } from '../../domain/row.js';
import { expressionOf, wordSet } from '../values/word-pattern.js';

export interface RecordColumns {
  readonly learners: readonly number[];
  readonly times: readonly number[];
  /** Of the learner, the content and the time. */
  readonly named: readonly number[];
  /** These columns and all others that a record needs. */
  readonly required: readonly number[];
}

/** True for a total or a footer, among rows that turned out to be no records. A row with most values of a record is neither. */
export function isTotalOrFooter({ cells }: Row, columns: RecordColumns): boolean {
  const at = cells.findIndex((cell) => typeof cell === 'string' && !isNumeric(cell) && !isBlankCell(cell));
  if (at === -1) return false;
  const others = cells.flatMap((cell, index) => (index === at || isBlankCell(cell) ? [] : [index]));
  if (!lacksRecord(at, others, columns)) return false;
  const label = labelOf(cells[at] as string);
  if (footer().test(label.text)) return true;
  if (others.length === 0 && (rowCount().test(label.text) || (label.isMarked && ends().has(label.text))))
    return true;
  const areNumbers = others.every((index) =>
    isAggregate(cells[index] ?? null, columns.times.includes(index)),
  );
  return areNumbers && isTotal(label.name, label.hasNumber || others.length > 0);
}

/** True for a line of dashes or similar signs, in one cell or in all, and for the old end-of-file character (Ctrl-Z). */
export function isRuler(cells: readonly Cell[]): boolean {
  let isLong = false;
  for (const cell of cells) {
    if (isBlankCell(cell)) continue;
    if (typeof cell !== 'string' || !RULER.test(cell)) return false;
    isLong ||= cell.trim().length >= SHORTEST_RULER || cell.includes(CTRL_Z);
  }
  return isLong;
}

const CTRL_Z = '\u001a';
/** One or two dashes mean "no value". */
const SHORTEST_RULER = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: Ctrl-Z is what is looked for.
const RULER = /^(?:[-=_*~#+|.‐-―─-╿\s]+|\s*\u001a\s*)$/u;

/** A row may be a record if it names a learner beside its label, or has half of the other values that a record needs. */
function lacksRecord(at: number, others: readonly number[], { learners, required }: RecordColumns): boolean {
  if (learners.some((index) => others.includes(index))) return false;
  const needed = required.filter((index) => index !== at);
  const filled = needed.filter((index) => others.includes(index)).length;
  return needed.length > 0 && filled * 2 < required.length;
}

interface Label {
  /** In lower case, without decoration. */
  readonly text: string;
  /** Without the number at its end too. */
  readonly name: string;
  readonly hasNumber: boolean;
  /** Between stars or dashes, or in capitals, which marks an end. */
  readonly isMarked: boolean;
}

const DECORATION = /^[\s*=#~<>_\-–—|.:;!([\]]+|[\s*=#~<>_\-–—|.:;!)[\]]+$/gu;

function labelOf(cell: string): Label {
  const whole = cell.slice(0, LONGEST_LABEL).normalize('NFKC').replace(/\s+/g, ' ').trim();
  const bare = whole.replace(DECORATION, '');
  const number = /^(.*\p{L}\D*?)[\s:=([]+\d[\d.,'’\s]*%?$/u.exec(bare);
  return {
    text: bare.toLowerCase(),
    name: (number?.[1] ?? bare).replace(DECORATION, '').toLowerCase(),
    hasNumber: number !== null,
    isMarked: /^[*=#~<_\-–—[]/.test(whole) || (bare === bare.toUpperCase() && bare !== bare.toLowerCase()),
  };
}

/** Longer is prose. */
const LONGEST_LABEL = 200;

/** Sums; these words mean a total even without a number. */
const totals = wordSet('notes.totals');

/** Other results of spreadsheets, ordinary words and names as well: only a number beside them makes a total. */
const aggregates = wordSet('notes.aggregates');

/** Ordinary words, and in some places a name: an end only where they are marked as one. */
const ends = wordSet('notes.ends');

/** "(12 rows affected)", "12 Zeilen", "3 rows in set (0.00 sec)": what a database prints below a result. */
const rowCount = once(
  () => new RegExp(`^\\d[\\d.,]*\\s*(?:${oneOf('notes.row-counts')})(?![\\p{L}\\d]).{0,60}$`, 'u'),
);

/** Words that begin a report's remarks about itself. */
const footer = once(() => new RegExp(`^(?:${oneOf('notes.footers')})`, 'u'));

function oneOf(list: string): string {
  return words(list).map(expressionOf).join('|');
}

function isTotal(text: string, hasNumber: boolean): boolean {
  if (totals().has(text) || (hasNumber && aggregates().has(text))) return true;
  // "C-100 Total", "C-100 Anzahl": names of group subtotals, always with their number.
  const last = text.slice(text.lastIndexOf(' ') + 1);
  if (hasNumber && (totals().has(last) || aggregates().has(last))) return true;
  // "Total: 18 attendees", "Total 18 attendees"
  const [head = '', sign] = text.split(/[ :=]+([(=]?\d)?/, 2);
  return totals().has(head) && head !== text && (hasNumber || sign !== undefined || /^[^ ]*[:=]/.test(text));
}

/** A number that a formula over a column may return; in a column of times, no number that may be a time. */
function isAggregate(cell: Cell, isTime: boolean): boolean {
  if (typeof cell === 'number') return true;
  if (typeof cell === 'string') {
    if (isTime) return /^\s*\d{1,6}\s*$/.test(cell);
    return isNumeric(cell) || aggregates().has(cell.trim().toLowerCase());
  }
  return !isTime && typeof cell === 'object' && cell !== null && ('percent' in cell || 'error' in cell);
}

function isNumeric(text: string): boolean {
  return /^\s*[-+]?\d[\d.,:'’\s/]*%?\s*$/.test(text);
}
