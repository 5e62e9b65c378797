import { isTimeZone } from '../config/time-zone.js';

/**
 * The zone that a header's last words name: "(UTC TimeZone)", "(PST/PDT)", "(Europe/Berlin)", "(GMT+01:00)", or a
 * bare "UTC" at the end. `rest` is the header without it. The zone is an IANA name or an offset such as "+01:00";
 * null where the header names none.
 *
 * An abbreviation alone ("EST", "CST") is no zone here: it may mean a fixed offset or a region, and several
 * countries use the same letters.
 */
export function splitHeaderZone(header: string): { readonly rest: string; readonly zone: string | null } {
  const bracket = /[([]([^()[\]]*)[)\]]$/.exec(header);
  if (bracket) {
    const zone = zoneOfWords(bracket[1] ?? '');
    return zone === null ? { rest: header, zone } : { rest: header.slice(0, bracket.index), zone };
  }
  const bare = /[\s_-](?:utc|gmt)$/i.exec(header);
  return bare ? { rest: header.slice(0, bare.index), zone: 'UTC' } : { rest: header, zone: null };
}

const NAMED_ZONES: Readonly<Record<string, string>> = {
  utc: 'UTC',
  gmt: 'UTC',
  'pst/pdt': 'America/Los_Angeles',
  'pacific time': 'America/Los_Angeles',
  'mst/mdt': 'America/Denver',
  'mountain time': 'America/Denver',
  'cst/cdt': 'America/Chicago',
  'central time': 'America/Chicago',
  'est/edt': 'America/New_York',
  'eastern time': 'America/New_York',
  'cet/cest': 'Europe/Paris',
};

function zoneOfWords(words: string): string | null {
  const name = words.trim().replace(/[\s_]*time[\s_]?zone$/i, '');
  const named = NAMED_ZONES[name.toLowerCase()];
  if (named !== undefined) return named;
  const offset = /^(?:utc|gmt)?\s?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(name);
  if (offset && Number(offset[2]) <= 14) {
    return `${offset[1]}${(offset[2] ?? '').padStart(2, '0')}:${offset[3] ?? '00'}`;
  }
  // Only Region/City names: Node also knows "Japan" and "Cuba", which a header may mean otherwise.
  return name.includes('/') && isTimeZone(name) ? name : null;
}
