import { hash } from 'node:crypto';
import type { SourceConfig } from '../../config/schema.js';
import { type Issue, issueOf } from '../../domain/issue.js';
import { onceFor } from '../../domain/process/once.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import { countOf } from '../../domain/text/count-of.js';
import type { FoundHeader, TableRules } from '../mapping/find-header.js';
import type { DateOrder } from '../time/date-order.js';
import type { ZoneNote } from '../time/zone/zone-notes.js';
import type { IdShape } from '../values/identifier.js';
import { shown } from '../values/reading.js';
import type { ScoreOf100 } from '../values/score.js';

/** The facts that only a whole column can prove. Ledgers hold digests of their JSON: its names and their order can't change. */
export interface Profile {
  /** By timestamp field: the order that its column proves, null where nothing in it proves one. */
  readonly dateOrders: Readonly<Record<string, DateOrder | null>>;
  /** By score field: what proves that its scale is 100; null where nothing in its column does. */
  readonly scales: Readonly<Record<string, ScoreOf100 | null>>;
  /** By field of identifiers: its column's evidence of damaged ones; absent where there is none. */
  readonly shapes: Readonly<Record<string, IdShape>>;
  /** False when it comes from the first rows alone: a row that needs more is then `undecided`. */
  readonly isWhole: boolean;
  /** What lines below the header say about the zone of all times, where that isn't known without them; absent: nothing. */
  readonly zoneNotes?: readonly ZoneNote[];
  /** How many cells rows have; absent where that proves nothing: a sheet leaves out blank cells at the end of a row. */
  readonly cells?: CellCounts;
  /** Why the drop as a whole cannot be understood; empty when it can. */
  readonly issues: readonly Issue[];
}

export const NO_PROFILE: Profile = {
  dateOrders: {},
  scales: {},
  shapes: {},
  isWhole: true,
  issues: [],
};

/** Digest of everything that decides how a drop's rows are read. */
export function readingDigest(sheet: string | null, source: SourceConfig, profile: Profile): string {
  const text = `[${JSON.stringify(sheet)},${settingsText(source)},${JSON.stringify(profile)}]`;
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** The settings of a source that decide how rows are read, the same for each of its files. */
const settingsText = onceFor((source: SourceConfig): string => {
  const { inbox, match, stableForMs, pollMs, control, expect, ...reading } = source;
  return JSON.stringify(reading);
});

/** A question about a drop that only its rows together answer. It gets those of a sample, then all once more, from the first. */
export interface RowWatch {
  /** Adds a row. Called for every row of a drop, so it must be cheap. */
  add(row: Row): void;
  /** Adds a row that was skipped, where only records are evidence; absent: such rows say nothing. */
  doubt?(row: Row): void;
  /** True when the rows so far show that all of the drop must be known. */
  asksForAll(): boolean;
  result(): Partial<Findings>;
}

export type Findings = Pick<Profile, 'dateOrders' | 'scales' | 'shapes' | 'issues'>;

/** How many cells the rows of a text have, and the kinds of values in their columns, as its first rows show it. */
export interface CellCounts {
  /** The number of nearly all rows; the header's where the rows don't agree. */
  readonly usual: number;
  /** By column, the kinds of values there in rows with that number, a letter each (`kindOf`). */
  readonly kinds: readonly string[];
  /** True where the text leaves out blank cells at the end of a row: several rows are shorter, and none ends blank. */
  readonly leavesOutBlanks: boolean;
}

/** Counts the cells of a text's first rows, which may all have a blank one more than the header, after a delimiter at each line's end. */
export function cellCounts(sample: readonly Row[], header: FoundHeader): CellCounts {
  const width = header.columns.length;
  const rows = sample.flatMap(({ line, cells }) =>
    line > header.line && cells.filter((cell) => !isBlankCell(cell)).length > 1 ? [cells] : [],
  );
  const longer = rows.filter((cells) => cells.length > width && cells.slice(width).every(isBlankCell));
  const length = longer[0]?.length ?? width;
  const agreeing = longer.filter((cells) => cells.length === length).length;
  const isRule = agreeing * 2 > rows.length && agreeing >= Math.floor(rows.length * NEARLY_ALL) - 1;
  const expected = isRule ? length : width;
  const whole = rows.filter((cells) => cells.length === expected);
  const kinds = Array.from({ length: expected }, (_, index) => [
    ...new Set(whole.map((cells) => kindOf(cells[index]))),
  ]);
  const shorter = rows.filter((cells) => cells.length < expected).length;
  const leavesOutBlanks = shorter > 1 && !whole.some((cells) => isBlankCell(cells[width - 1]));
  return { usual: expected, kinds: kinds.map((letters) => letters.sort().join('')), leavesOutBlanks };
}

/** Of few rows, all but one. */
const NEARLY_ALL = 0.9;

/** Recognises rows with an unusual number of cells, where nothing shows that only their last cells were left out. */
export function createShiftJudge(
  { operation, header }: TableRules,
  { usual: expected, kinds, leavesOutBlanks }: CellCounts,
): (row: Row) => Issue | null {
  const mapped = Object.entries(header.match.mapped).map(([name, { index, header: label }]) => {
    const field = operation.fields.find((candidate) => candidate.name === name);
    return { index, label, required: field?.required === true };
  });
  const required = mapped.filter((column) => column.required).sort((a, b) => a.index - b.index);

  return (row) => {
    const { cells } = row;
    if (cells.length === expected || (cells.length < expected && isOmitted(cells))) return null;
    const last = required.findLast(({ index }) => index < cells.length);
    const would = last ? `: ${last.label} would be "${shown(cellText(cells[last.index]))}"` : '';
    const message = `the row has ${countOf(cells.length, 'cell')}, nearly all others ${expected}${would}`;
    const remedy =
      'a separator is missing, or one inside a value is not in quotation marks: correct the row in the file. If the whole file has backslashes before quotes, have it exported with doubled quotes';
    return issueOf('row-ragged', null, message, remedy, shown(cells.map(cellText).join(' ')));
  };

  /**
   * True where the missing cells were left out at the row's end: each mapped cell is of a kind that its column holds, and the last of
   * them, or one after them, of a kind that the later columns don't hold, from which it would have come had a cell before it been lost.
   */
  function isOmitted(cells: readonly Cell[]): boolean {
    const missing = expected - cells.length;
    const lacks = (columns: typeof mapped) => columns.some(({ index }) => index >= cells.length);
    if (lacks(required) || (lacks(mapped) && !leavesOutBlanks)) return false;
    if (cells.some(hasTextAfterQuote)) return false;
    if (mapped.some(({ index }) => index < cells.length && !fits(cells, index))) return false;
    const from = Math.max(0, ...mapped.map(({ index }) => (index < cells.length ? index : 0)));
    for (let index = from; index < cells.length; index += 1) {
      if (isAnchor(cells, index, missing)) return true;
    }
    return false;
  }

  function fits(cells: readonly Cell[], index: number): boolean {
    const kind = kindOf(cells[index]);
    const allowed = kinds[index] ?? '';
    return kind === BLANK || allowed === '' || allowed.includes(kind);
  }

  function isAnchor(cells: readonly Cell[], index: number, missing: number): boolean {
    const kind = kindOf(cells[index]);
    if (kind === BLANK || !fits(cells, index)) return false;
    const isDistinctive = DISTINCTIVE.includes(kind);
    if (!isDistinctive && (kinds[index] ?? '') === '') return false;
    return Array.from({ length: missing }, (_, i) => kinds[index + 1 + i] ?? '').every((after) => {
      // A column that is always blank doesn't show what it would hold.
      const isKnown = after.replace(BLANK, '') !== '';
      return isKnown ? !after.includes(kind) : isDistinctive;
    });
  }
}

const BLANK = '_';

/** Kinds that hardly any value has by chance: addresses, days, codes. */
const DISTINCTIVE = 'edc';

/** An address, a day, a number, words with digits, a code, several words, or a word. */
export function kindOf(cell: Cell | undefined): string {
  if (isBlankCell(cell)) return BLANK;
  const text = cellText(cell).trim();
  if (text.includes('@')) return 'e';
  if (/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?!\d)/.test(text)) return 'd';
  if (/^[-+]?[\d.,\s]+%?$/.test(text)) return 'n';
  const hasSpace = /\s/.test(text);
  if (/\d/.test(text)) return hasSpace ? 'm' : 'c';
  return hasSpace ? 't' : 'w';
}

/** In a row with another number of cells than other rows, the reader returns such a field as is. */
function hasTextAfterQuote(cell: Cell): boolean {
  return typeof cell === 'string' && cell.startsWith('"') && cell.indexOf('"', 1) > 0;
}
