import { shown } from '../../values/reading.js';
import { type ZoneNames, zoneNamed } from '../../values/zone-names.js';
import type { ZoneNote } from './zone-notes.js';

/** Who says in which zone the times of a file are that carry none. */
export interface ZoneClaim {
  /** An IANA name or an offset; null where the words name no single zone. */
  readonly zone: string | null;
  /** The zone as the file or the source writes it. */
  readonly words: string;
  /** Who says so, in the words of a sentence: `line 1 ("All times are UTC")`. */
  readonly by: string;
  /** The line that says so; null: the header or the source does. */
  readonly line: number | null;
}

/** What may say in which zone times are. */
export interface ZoneSources {
  /** The source's default for the field of zones; it settles the question. */
  readonly byDefault: string | null;
  /** The zone that the header of the times names; it comes before `timeZone`. */
  readonly ofHeader: string | null;
  /** What lines outside the data say. */
  readonly notes: readonly ZoneNote[];
  /** The source's `timeZone`. */
  readonly ofSource: string | null;
  readonly zoneNames: ZoneNames;
}

/** What is said about the zone, best first; several claims must come to the same moment. Empty: nothing is said. */
export function zoneClaims({
  byDefault,
  ofHeader,
  notes,
  ofSource,
  zoneNames,
}: ZoneSources): readonly ZoneClaim[] {
  const named = (words: string, by: string, line: number | null): ZoneClaim => ({
    zone: zoneNamed(words, zoneNames),
    words,
    by,
    line,
  });
  if (byDefault !== null) return [named(byDefault, BY_DEFAULT, null)];
  const noted = notes.map(({ words, text, line }) => named(words, `line ${line} ("${text}")`, line));
  const own = ofHeader ?? ofSource;
  const others = [
    ...(own === null ? [] : [exactly(own, ofHeader === null ? 'timeZone of the source' : 'the header')]),
    ...noted,
  ];
  return others.filter(
    (claim, index) => others.findIndex((other) => keyOf(other) === keyOf(claim)) === index,
  );
}

/**
 * True for a note that says more than the claims about a file: another zone than all of them. A claim of the source's default
 * settles the question, so that no note is news.
 */
export function isNews(note: ZoneNote, claims: readonly ZoneClaim[], zoneNames: ZoneNames): boolean {
  if (claims[0]?.by === BY_DEFAULT) return false;
  const key = keyOf({ zone: zoneNamed(note.words, zoneNames), words: note.words });
  return claims.every((claim) => keyOf(claim) !== key);
}

const BY_DEFAULT = 'the default of the source';

function exactly(zone: string, by: string): ZoneClaim {
  return { zone, words: zone, by, line: null };
}

function keyOf({ zone, words }: Pick<ZoneClaim, 'zone' | 'words'>): string {
  return zone ?? `"${words}"`;
}

/** A value of registrar.yaml for a zone, in quotes where YAML wants them. */
export function yamlZone(zone: string): string {
  return /^[A-Za-z][\w/+-]*$/.test(zone) ? zone : JSON.stringify(shown(zone));
}
