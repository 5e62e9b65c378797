import { zoneNamed } from '../time/zone/zone-names.js';

/**
 * The zone that a header's last words name: "(UTC TimeZone)", "(PST/PDT)", "(Europe/Berlin)", "(GMT+01:00)", or a
 * bare "UTC" at the end. `rest` is the header without it. The zone is an IANA name or an offset such as "+01:00";
 * null where the header names none.
 */
export function splitHeaderZone(header: string): { readonly rest: string; readonly zone: string | null } {
  const bracket = /[([]([^()[\]]*)[)\]]$/.exec(header);
  if (bracket) {
    const zone = zoneNamed(bracket[1] ?? '');
    return zone === null ? { rest: header, zone } : { rest: header.slice(0, bracket.index), zone };
  }
  const bare = /[\s_-](?:utc|gmt)$/i.exec(header);
  return bare ? { rest: header.slice(0, bare.index), zone: 'UTC' } : { rest: header, zone: null };
}
