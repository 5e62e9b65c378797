import { type Cell, cellText, isBlankCell } from '../../../domain/row.js';
import { ABSENT, type Reading, refuse } from '../../values/reading.js';
import { isPlaceholder, trimText } from '../../values/trim-text.js';
import { hasWordOf } from '../../values/word-pattern.js';
import { type ZoneNames, zoneNamed } from '../../values/zone-names.js';
import { namesZone } from './zone-notes.js';

/** The column that holds the zones of times. */
export interface ZoneColumn {
  readonly column: string;
  readonly zones: ZoneNames;
  /** The field that the column gives, where it may hold the zones of something else; null or absent: it doesn't. */
  readonly field?: string | null;
}

/**
 * The zone of a row's times, from a column that holds zones: an IANA name or an offset such as "+01:00". In a column of offsets
 * a number is one in hours, because a spreadsheet drops the sign of +2.
 */
export function readZone(
  cell: Cell | undefined,
  { column, zones, field = null }: ZoneColumn,
): Reading<string> {
  if (isBlankCell(cell)) return ABSENT;
  const text = typeof cell === 'string' ? trimText(cell) : typeof cell === 'number' ? String(cell) : null;
  if (text !== null && isPlaceholder(text)) return ABSENT;
  const zone = text === null ? null : zoneOf(text, column, zones);
  if (zone !== null) return { value: zone };
  const otherwise =
    field === null
      ? ''
      : `; or, if the column is not about the times of the file, columns: { ${field}: null }`;
  const because = 'names no single time zone';
  const remedy = `say which it is: zoneNames: { ${JSON.stringify(text ?? 'EST')}: America/New_York } (for instance) for the source in registrar.yaml${otherwise}`;
  return refuse('timestamp-invalid', column, cell, because, remedy);
}

function zoneOf(text: string, column: string, zones: ZoneNames): string | null {
  if (Object.hasOwn(zones, text)) return zones[text] ?? null;
  if (/^z$/i.test(text)) return 'UTC';
  // "-300" may be minutes, or hours and minutes.
  if (/^[-−+]?\d{3}$/.test(text)) return null;
  return isOfOffsets(column.toLowerCase()) && HOURS.test(text) ? ofHours(text) : zoneNamed(text, zones);
}

const isOfOffsets = hasWordOf('zones.offset');
const HOURS = /^[-−+]?\d{1,2}(?:[.,]\d+)?$/;

/** null for a number of hours that no zone has. */
function ofHours(text: string): string | null {
  const hours = Number(text.replace(/^[-−+]/, '').replace(',', '.'));
  const minutes = hours * 60;
  if (hours > 14 || minutes % 15 !== 0) return null;
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${/^[-−]/.test(text) ? '-' : '+'}${pad(Math.floor(hours))}:${pad(minutes % 60)}`;
}

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
