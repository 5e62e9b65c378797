import { cellText, isBlankCell, type Row } from '../../domain/row.js';
import { headerKey, normaliseHeader } from '../header/header-text.js';
import type { PreambleFact } from '../header/preamble-fact.js';
import { isZoneLabel, ZONE_IN_WORDS, type ZoneNote, zoneNoteOf, zoneWords } from '../time/zone/zone-notes.js';
import { shown } from '../values/reading.js';
import { zoneNamed } from '../values/zone/zone-names.js';

/** The facts from the lines above a header; null: none. */
export interface PreambleFacts {
  /** The content of the rows: the number of a meeting or a course, else its title. */
  readonly content: PreambleFact | null;
  /** A zone that is named, perhaps of other times: an IANA name or an offset. */
  readonly zone: PreambleFact | null;
  /** What is said of the zone of all times. */
  readonly zoneNotes: readonly ZoneNote[];
}

/**
 * Reads the lines above a header, where reports of meetings and systems name facts that all rows have in common; the zone also
 * from the header itself, where the times of other columns carry one.
 */
export function preambleFacts(rows: readonly Row[], header?: HeaderLine): PreambleFacts {
  const pairs = [...pairsOf(rows)];
  const find = (isOne: (label: string) => boolean) =>
    pairs.find(({ label, value }) => label !== null && value !== '' && isOne(label)) ?? null;
  const named = (labels: ReadonlySet<string>) => find((label) => labels.has(headerKey(label)));
  const zoneText = find((label) => isZoneLabel(label) || headerKey(label) === 'zone');
  const zone = zoneText === null ? null : zoneNamed(zoneText.value);
  return {
    content: named(NUMBERS) ?? named(TITLES),
    zone:
      zoneText !== null && zone !== null
        ? { ...zoneText, value: zone }
        : (zoneInWords(rows) ?? zoneOfHeader(header)),
    zoneNotes: [...(zoneText ? labelled(zoneText) : []), ...rows.flatMap((row) => zoneNoteOf(row) ?? [])],
  };
}

function labelled({ label, value, line }: PreambleFact): readonly ZoneNote[] {
  const words = zoneWords(value);
  return words === null ? [] : [{ words, text: shown(`${label}: ${value}`), line }];
}

interface HeaderLine {
  readonly line: number;
  readonly columns: readonly string[];
}

/** The one zone that headers name, such as "Started (UTC)". */
function zoneOfHeader(header: HeaderLine | undefined): PreambleFact | null {
  const zoned = (header?.columns ?? []).flatMap((label) => {
    const { zone } = normaliseHeader(label);
    return zone === null ? [] : [{ label, value: zone, line: header?.line ?? 0 }];
  });
  return new Set(zoned.map(({ value }) => value)).size === 1 ? (zoned[0] ?? null) : null;
}

const NUMBERS = keys(
  'meeting id|webinar id|event id|session id|course id|course code|course number|course|class id|training id|kurs-id|kursnummer|kurs-nr|code formation|id du cours|id del curso|コースid|ミーティングid',
);
const TITLES = keys(
  'meeting title|topic|webinar topic|title|event title|event name|session title|course title|course name|training|kurs|kursname|titel|thema|besprechungstitel|titre|titre de la réunion|intitulé|sujet|título|título de la reunión|tema|oggetto|onderwerp|コース名|会議のタイトル|トピック',
);

/** "Topic: Weekly", a label beside its value, or a line of labels above a line of values. */
function* pairsOf(rows: readonly Row[]): Generator<PreambleFact> {
  for (const [index, { cells, line }] of rows.entries()) {
    const filled = cells.flatMap((cell, at) =>
      isBlankCell(cell) ? [] : [{ at, text: cellText(cell).trim() }],
    );
    const [first, second] = filled;
    if (first === undefined) continue;
    if (second === undefined) {
      const colon = /^([^:]{2,40}):\s*(\S.*)$/s.exec(first.text);
      if (colon) yield { label: colon[1] ?? '', value: colon[2] ?? '', line };
      continue;
    }
    if (filled.length === 2) yield { label: first.text.replace(/:\s*$/, ''), value: second.text, line };
    const below = rows[index + 1];
    if (below === undefined) continue;
    for (const { at, text } of filled) {
      yield { label: text, value: cellText(below.cells[at]).trim(), line: below.line };
    }
  }
}

/** "All times are in UTC", "(GMT+01:00) Berlin": only where the surrounding words are about times or zones. */
function zoneInWords(rows: readonly Row[]): PreambleFact | null {
  for (const { cells, line } of rows) {
    for (const cell of cells) {
      if (typeof cell !== 'string' || !SPEAKS_OF_TIME.test(cell)) continue;
      const name = ZONE_IN_WORDS.exec(cell)?.[0];
      const zone = name === undefined ? null : zoneNamed(name);
      if (zone !== null) return { label: null, value: zone, line };
    }
  }
  return null;
}

const SPEAKS_OF_TIME = /\btimes?\b|time ?zone|zeit|heure|fuseau|\bhora|fuso|\bor[ae]\b|tijd|時/iu;

function keys(list: string): ReadonlySet<string> {
  return new Set(list.split('|').map(headerKey));
}
