import { type Cell, cellText, isBlankCell, type Row } from '../../../domain/row.js';
import { HEADER_LANGUAGES } from '../../../operations/header-languages.js';
import { headerKey } from '../../header/header-text.js';
import { shown } from '../../values/reading.js';
import { zoneNamed } from '../../values/zone/zone-names.js';

/** A line outside the data that says in which zone the times of the file are. */
export interface ZoneNote {
  /** The zone in the words of the file: "UTC", "GMT+2"; also words that name no single zone, such as "EST". */
  readonly words: string;
  /** What the line says, for people. */
  readonly text: string;
  readonly line: number;
}

/** True for a header or label that says "time zone", and not of which times. */
export function isZoneLabel(label: string): boolean {
  return LABELS.has(headerKey(label));
}

const LABELS: ReadonlySet<string> = new Set(HEADER_LANGUAGES.timeZone.map(headerKey));

/** What a line says about the zone of all times: a label with a zone beside it, or a sentence. null: nothing. */
export function zoneNoteOf({ cells, line }: Row): ZoneNote | null {
  const filled = cells.filter((cell) => !isBlankCell(cell));
  for (const [index, cell] of filled.entries()) {
    if (typeof cell !== 'string' || cell.length > LONGEST_NOTE) continue;
    const beside = filled[index + 1];
    if (beside !== undefined && isZoneLabel(cell)) {
      const words = zoneWords(cellText(beside).trim());
      if (words !== null) return { words, text: shown(`${cell.trim()} ${cellText(beside)}`), line };
    }
    const words = zoneInText(cell);
    if (words !== null) return { words, text: shown(cell), line };
  }
  return null;
}

/** Longer is no note on the times. */
const LONGEST_NOTE = 500;

/** The cells that make a row data: a note has none of them. */
interface RecordCells {
  readonly line: number;
  readonly learners: readonly number[];
  readonly times: readonly number[];
}

/**
 * Finds notes on the zone among the rows below a header: in lines of few words with neither learner nor time. It is asked about
 * every row of a drop; the cell of the time nearly always decides.
 */
export function zoneNoteFinder({ line, learners, times }: RecordCells): (row: Row) => ZoneNote | null {
  const isOfRecord = (index: number) => learners.includes(index) || times.includes(index);
  return (row) => {
    if (row.line <= line) return null;
    for (const index of times) if (!mayBeWords(row.cells[index])) return null;
    const filled = row.cells.flatMap((cell, index) => (isBlankCell(cell) ? [] : [index]));
    const [first = -1, ...others] = filled;
    if (others.length >= MAX_CELLS || others.some(isOfRecord)) return null;
    // A label or a sentence may begin in the column of learners, a learner may not.
    if (others.length > 0 && isOfRecord(first) && !beginsNote(cellText(row.cells[first]))) return null;
    if (filled.some((index) => cellText(row.cells[index]).includes('@'))) return null;
    return zoneNoteOf(row);
  };
}

function beginsNote(text: string): boolean {
  return isZoneLabel(text) || zoneInText(text) !== null;
}

/** A label and its value, or a sentence that commas have split. */
const MAX_CELLS = 3;

function mayBeWords(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string') return isBlankCell(cell);
  const first = cell.charCodeAt(0);
  return !(first >= 0x30 && first <= 0x39);
}

/** The zone that a text states of all times, in its own words; null: it states none. */
function zoneInText(text: string): string | null {
  const label = /^\s*([^:]{2,40}):\s*(\S.*?)\s*$/s.exec(text);
  if (label && isZoneLabel(label[1] ?? '')) return zoneWords(label[2] ?? '');
  if (!ALL_TIMES.test(text)) return null;
  for (const clause of text.split(SENTENCE_END)) {
    const times = ALL_TIMES.exec(clause);
    if (times === null) continue;
    const said = clause.slice(times.index + times[0].length).trim();
    const words = OFFSET_COLUMN.test(said) ? null : zoneAtEnd(said);
    if (words !== null) return words;
  }
  return null;
}

/** Not the dot of "W. Europe Standard Time". */
const SENTENCE_END = /[;\n]|(?<!\b[A-Z])[,.!。](?:\s|$)/u;

/** Times in the plural, or the zone itself: "Report time: 10:00 UTC" says nothing about the rows. */
const ALL_TIMES =
  /(?<!\p{L})(?:times|timestamps|dates|time ?zone|zeiten|uhrzeiten|zeitangaben|zeitstempel|zeitpunkte|zeitzone|heures|horaires|horodatages|fuseau horaire|horas|fechas|horarios|zona horaria|orari|ore|fuso orario|horários|fuso horário|tijden|tijdstippen|tijdzone)(?!\p{L})|時刻|日時|タイムゾーン/iu;

/** A column of offsets is no zone: "Times are local, see UTC offset". */
const OFFSET_COLUMN = /\b(?:UTC|GMT)[\s-]*(?:offset|versatz|difference)/i;

/** The words of a zone at the end of what a sentence says about times; a clock, a date or a "not" makes another sentence of it. */
function zoneAtEnd(said: string): string | null {
  const text = withoutEnd(said);
  const words = text.split(/\s+/);
  const negated = text.search(NEGATED);
  // The longest name counts: "W. Europe Standard Time".
  for (const start of words.keys()) {
    const before = words.slice(0, start).join(' ');
    const name = words
      .slice(start)
      .join(' ')
      .replace(/^[:=]\s*/, '');
    if (/\d/.test(before) || (negated !== -1 && negated < before.length)) return null;
    if (zoneNamed(name) !== null) return name;
    if (isLikeZone(name)) return name;
  }
  const japanese = CJK_ZONE.exec(text)?.[1];
  if (japanese !== undefined) return japanese;
  // A zone with other words behind it is named, and what is meant is open.
  const named = ZONE_IN_WORDS.exec(text);
  return named && zoneNamed(named[0]) !== null && !/\d/.test(text.slice(0, named.index))
    ? text.slice(named.index)
    : null;
}

/** A zone within a sentence. */
export const ZONE_IN_WORDS =
  /\b(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d{2})?)?\b|\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_]+)?\b/;

/** Without dots at the end, and what may stand behind a zone. */
function withoutEnd(said: string): string {
  let text = said;
  for (;;) {
    const next = text
      .trimEnd()
      .replace(/[.,:]$|(?<![\s(,])[\s(,](?:throughout|only|angegeben|dargestellt|angezeigt)\)?$/iu, '');
    if (next === text) break;
    text = next;
  }
  const unless = text.search(UNLESS);
  return unless === -1 ? text : text.slice(0, unless).replace(/[\s,(]$/, '');
}

const UNLESS = /unless (?:otherwise )?(?:stated|noted|indicated|specified)/i;
const NEGATED = /(?<!\p{L})(?:not|nicht|keine?|pas|non|não|niet|from|von|no(?!\s(?:fuso|hor)))(?!\p{L})/iu;
const CJK_ZONE = /(?:^|[^A-Za-z])(UTC|GMT)(?:です|で表示(?:されます|しています)?|表示|基準|時間)*。?$/u;

/** Words that mean a zone, although they name none of Registrar's: "EST", "Central European Time", "(GMT+01:00) Berlin". */
function isLikeZone(name: string): boolean {
  return LIKE_ZONE.test(name) && !OWN_TIME.test(name);
}

const LIKE_ZONE =
  /^(?:\(?(?:UTC|GMT)\s?[+-]\d.*|[A-Z]{1,4}T|ME[SW]?Z|(?:\p{Lu}[\p{L}.]*\s){1,4}Time(?:\s\([^)]*\))?)$/u;
/** The source's `timeZone` says what these are. */
const OWN_TIME = /\b(?:Local|Server|System|User|Learner|Portal|Account|Browser|Your|Their|Company)\b/;

/** The value of a label: a zone, or words like one; null: neither. */
export function zoneWords(value: string): string | null {
  return zoneNamed(value) !== null || isLikeZone(value) ? value : null;
}
