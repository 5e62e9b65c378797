import { type Cell, cellText } from '../../../domain/row.js';
import { hasWordOf } from '../../values/word-pattern.js';
import { zoneNamed } from '../../values/zone-names.js';
import { namesZone } from './zone-notes.js';

/**
 * How well a header that is no alias names a column of zones: with the words of one among others ("Time Zone Name", "Date TZ"),
 * or by a word that may be another thing, for whose values see `areZones`. Lower is better; null: it names none. Expects
 * normalised text.
 */
export function zoneHeaderRank(text: string): number | null {
  if (namesIt(text) || OFFSET.test(text)) return NAMED_RANK;
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
  return namesZone(text) || zoneNamed(`UTC${text}`) !== null;
}

const NAMED_RANK = 500;
const BARE_RANK = 600;

const namesIt = hasWordOf('zones.label');
const OFFSET = /^(?:utc|gmt) ?(?:\+\/-|±|\(\+\/-\)|difference)$/;
const BARE = /^(?:zone|offset|utc|gmt|time difference)$/;
