import { words } from '../../../config/words/words.js';
import { once } from '../../../domain/process/once.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../../domain/row.js';
import { headerKey } from '../../header/header-text.js';
import { ABSENT, type Reading, refuseFor, shown } from '../../values/reading.js';
import { isPlaceholder, trimText } from '../../values/trim-text.js';
import { hasWordOf, wordPattern } from '../../values/word-pattern.js';
import { type ZoneNames, zoneNamed } from '../../values/zone-names.js';

/** A line outside the data that names a zone of times. */
export interface ZoneNote {
  /** The zone in the words of the file: "UTC", "GMT+2"; also words that name no single zone, such as "EST". */
  readonly words: string;
  /** What the line says, for people. */
  readonly text: string;
  readonly line: number;
}

/** True for a header or label that says "time zone", and not of which times. */
export function isZoneLabel(label: string): boolean {
  return labels().has(headerKey(label));
}

const labels = once(() => new Set(words('headers.time-zone').map(headerKey)));

/** The notes among the lines above a header, or among other lines without data. */
export function zoneNotesOf(rows: readonly Row[]): readonly ZoneNote[] {
  return rows.flatMap((row) => zoneNoteOf(row) ?? []);
}

/** The zone that a line names after a word for times, such as "All times are UTC" or "Time zone: Europe/Berlin"; null: none. */
export function zoneNoteOf({ cells, line }: Row): ZoneNote | null {
  const text = cells
    .filter((cell) => !isBlankCell(cell))
    .map(cellText)
    .join(' ');
  if (text.length > LONGEST_NOTE) return null;
  const times = timeWords().exec(text.toLowerCase());
  const zone = times && zoneIn(text.slice(times.index + times[0].length));
  return zone === null ? null : { words: zone, text: shown(text), line };
}

/** Longer is no note on the times. */
const LONGEST_NOTE = 300;

/** Times in the plural, or the zone itself: "Report time: 10:00 UTC" says nothing about the rows. */
const timeWords = wordPattern('zones.times', 'headers.time-zone');

/** The first zone that a text names; a clock or a date before it makes another sentence of it. */
function zoneIn(text: string): string | null {
  const parts = text.match(/[\p{Script=Latin}\d()[\]+\-−:/_.]+/gu) ?? [];
  for (const start of parts.keys()) {
    // The longest name counts: "W. Europe Standard Time".
    for (let end = Math.min(parts.length, start + LONGEST_NAME); end > start; end -= 1) {
      const name = parts.slice(start, end).join(' ').replace(/[.:]$/, '');
      if (zoneNamed(name) !== null || (LIKE_ZONE.test(name) && !OWN_TIME.test(name))) return name;
    }
    if (/\d/.test(parts[start] ?? '')) return null;
  }
  return null;
}

/** The words of a name, such as "Central America Standard Time (Mexico)". */
const LONGEST_NAME = 6;

/** Words that mean a zone, although they name none of Registrar's: "EST", "Central European Time". */
const LIKE_ZONE = /^(?:[A-Z]{1,4}T|ME[SW]?Z|(?:\p{Lu}[\p{L}.]*\s){1,4}Time(?:\s\([^)]*\))?)$/u;
/** The source's `timeZone` says what these are. */
const OWN_TIME = /\b(?:Local|Server|System|User|Learner|Portal|Account|Browser|Your|Their|Company)\b/;

/** Finds notes on the zone below a header, in lines of few words. Called for every row; the cell of the time nearly always decides. */
export function zoneNoteFinder(
  line: number,
  learners: readonly number[],
  times: readonly number[],
): (row: Row) => ZoneNote | null {
  const isOfRecord = (index: number) => learners.includes(index) || times.includes(index);
  return (row) => {
    if (row.line <= line) return null;
    for (const index of times) if (!mayBeWords(row.cells[index])) return null;
    const filled = row.cells.flatMap((cell, index) => (isBlankCell(cell) ? [] : [index]));
    const [first = -1, ...others] = filled;
    if (others.length >= MAX_CELLS || others.some(isOfRecord)) return null;
    if (filled.some((index) => cellText(row.cells[index]).includes('@'))) return null;
    // A label or a sentence may begin in the column of learners, a learner may not.
    const note = zoneNoteOf(row);
    const isLearner =
      others.length > 0 && isOfRecord(first) && !timeWords().test(cellText(row.cells[first]).toLowerCase());
    return isLearner ? null : note;
  };
}

/** A label and its value, or a sentence that commas have split. */
const MAX_CELLS = 3;

function mayBeWords(cell: Cell | undefined): boolean {
  return typeof cell === 'string' ? !/^\d/.test(cell) : isBlankCell(cell);
}

/** A statement on the zone of times that carry none. */
export interface ZoneClaim {
  /** An IANA name or an offset; null where the words name no single zone. */
  readonly zone: string | null;
  readonly words: string;
  /** The origin of the claim, in the words of a sentence: `line 1 ("All times are UTC")`. */
  readonly by: string;
  /** The line that names the zone; null: the header or the source does. */
  readonly line: number | null;
}

const BY_DEFAULT = 'the default of the source';

/** What the source's default for the field of zones says: it settles the question. */
export function claimByDefault(words: string, zoneNames: ZoneNames): ZoneClaim {
  return { zone: zoneNamed(words, zoneNames), words, by: BY_DEFAULT, line: null };
}

export function claimOfNote({ words, text, line }: ZoneNote, zoneNames: ZoneNames): ZoneClaim {
  return { zone: zoneNamed(words, zoneNames), words, by: `line ${line} ("${text}")`, line };
}

/** True for a note of another zone than all claims; the source's default settles the question. */
export function namesOtherZone(note: ZoneNote, claims: readonly ZoneClaim[], zoneNames: ZoneNames): boolean {
  if (claims[0]?.by === BY_DEFAULT) return false;
  const key = keyOf(claimOfNote(note, zoneNames));
  return claims.every((claim) => keyOf(claim) !== key);
}

function keyOf({ zone, words }: ZoneClaim): string {
  return zone ?? `"${words}"`;
}

/** A value of registrar.yaml for a zone, in quotes where YAML wants them. */
export function yamlZone(zone: string): string {
  return /^[A-Za-z][\w/+-]*$/.test(zone) ? zone : JSON.stringify(shown(zone));
}

interface ZoneColumn {
  readonly column: string;
  readonly zones: ZoneNames;
  /** The field that the column gives. */
  readonly field: string;
}

/** The zone of a row's times, from a column of zones. A number without a sign is none: a spreadsheet drops that of +2. */
export function readZone(cell: Cell | undefined, { column, zones, field }: ZoneColumn): Reading<string> {
  if (isBlankCell(cell)) return ABSENT;
  const text = typeof cell === 'string' ? trimText(cell) : typeof cell === 'number' ? String(cell) : null;
  if (text !== null && isPlaceholder(text)) return ABSENT;
  const zone = text === null ? null : zoneOf(text, zones);
  if (zone !== null) return { value: zone };
  return refuseFor('no-single-zone', column, cell, { field, name: JSON.stringify(text ?? 'EST') });
}

function zoneOf(text: string, zones: ZoneNames): string | null {
  if (Object.hasOwn(zones, text)) return zones[text] ?? null;
  if (/^z$/i.test(text)) return 'UTC';
  // "-300" may be minutes, or hours and minutes.
  if (/^[-−+]?\d{3}$/.test(text)) return null;
  return zoneNamed(text, zones);
}

/** How well a header that is no alias names a column of zones; lower is better, null: it doesn't. Expects normalised text. */
export function zoneHeaderRank(text: string): number | null {
  if (namesIt(text) || OFFSET.test(text)) return NAMED_RANK;
  return isBareZone(text) ? BARE_RANK : null;
}

/** True for "Zone" and its like, which are zones of times only where their values are. */
export function isBareZone(text: string): boolean {
  return BARE.test(text);
}

/** True for values that name zones or look like one; "+2" is one of UTC. */
export function areZones(values: readonly Cell[]): boolean {
  const isZone = (text: string) =>
    [text, `UTC${text}`].some((name) => zoneNamed(name) !== null) || LIKE_ZONE.test(text);
  return values.length > 0 && values.every((cell) => isZone(cellText(cell).trim()));
}

const NAMED_RANK = 500;
const BARE_RANK = 600;

const namesIt = hasWordOf('zones.label');
const OFFSET = /^(?:utc|gmt) ?(?:\+\/-|±|\(\+\/-\)|difference)$/;
const BARE = /^(?:zone|offset|utc|gmt|time difference)$/;
