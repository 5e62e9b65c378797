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

const BY_DEFAULT = 'the default of the source';

/** What the source's default for the field of zones says: it settles the question. */
export function claimByDefault(words: string, zoneNames: ZoneNames): ZoneClaim {
  return { zone: zoneNamed(words, zoneNames), words, by: BY_DEFAULT, line: null };
}

/** What the source or the header of the times says. */
export function claimBy(by: string, zone: string): ZoneClaim {
  return { zone, words: zone, by, line: null };
}

/** What a line outside the data says. */
export function claimOfNote({ words, text, line }: ZoneNote, zoneNames: ZoneNames): ZoneClaim {
  return { zone: zoneNamed(words, zoneNames), words, by: `line ${line} ("${text}")`, line };
}

/** The claims, each zone once. */
export function distinctClaims(claims: readonly ZoneClaim[]): readonly ZoneClaim[] {
  return claims.filter(
    (claim, index) => claims.findIndex((other) => keyOf(other) === keyOf(claim)) === index,
  );
}

/**
 * True for a note that says more than the claims about a file: another zone than all of them. A claim of the source's default
 * settles the question, so that no note is news.
 */
export function isNews(note: ZoneNote, claims: readonly ZoneClaim[], zoneNames: ZoneNames): boolean {
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
