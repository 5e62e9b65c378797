import { type Cell, cellText } from '../../../domain/row.js';
import { HEADER_LANGUAGES } from '../../../operations/header-languages.js';
import { zoneNamed } from '../../values/zone/zone-names.js';
import { zoneWords } from './zone-notes.js';

/**
 * How well a header that is no alias names a column of zones: with the words of one among others ("Time Zone Name", "Date TZ"),
 * or by a word that may be another thing, for whose values see `areZones`. Lower is better; null: it names none. Expects
 * normalised text.
 */
export function zoneHeaderRank(text: string): number | null {
  if (NAMED.test(text)) return NAMED_RANK;
  return isBareZone(text) ? BARE_RANK : null;
}

/** True for "Zone" and its like, which are zones of times only where their values are. */
export function isBareZone(text: string): boolean {
  return BARE.test(text);
}

/** True where each value names a zone, and at least one does. */
export function areZones(values: readonly Cell[]): boolean {
  return values.length > 0 && values.every((cell) => isZone(cellText(cell).trim()));
}

function isZone(text: string): boolean {
  return zoneWords(text) !== null || zoneNamed(`UTC${text}`) !== null;
}

const NAMED_RANK = 500;
const BARE_RANK = 600;

const NAMED = new RegExp(
  `(?<!\\p{L})(?:timezone|tz|${HEADER_LANGUAGES.timeZone.filter((name) => name !== 'tz').join('|')})(?!\\p{L})|タイムゾーン|^(?:utc|gmt) ?(?:\\+/-|±|\\(\\+/-\\)|difference)$`,
  'u',
);

const BARE = /^(?:zone|offset|utc|gmt|time difference)$/;
