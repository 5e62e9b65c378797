import type { SourceConfig } from '../../config/schema.js';
import { isTimeZone } from '../../config/values/time-zone.js';
import { zonesByName } from '../../config/words/words.js';

/** A source's zone names, by the name as its files have it: `{ EST: America/New_York }`. */
export type ZoneNames = SourceConfig['zoneNames'];

/**
 * The zone that some words name, as an IANA name or an offset such as "+01:00"; null where they name none. Known are declared names,
 * Region/City, UTC and GMT with or without an offset, names of Windows, and pairs such as "PST/PDT". An abbreviation alone ("EST") is
 * no zone unless declared: several countries use the same letters.
 */
export function zoneNamed(words: string, declared: ZoneNames = {}): string | null {
  const name = bare(words);
  if (Object.hasOwn(declared, name)) return declared[name] ?? null;
  const key = name.toLowerCase().replace(/\s+/g, ' ');
  const zone = zonesByName().get(key);
  if (zone !== undefined) return zone;
  const offset = /^(?:utc|gmt)?\s?([+-])(\d{1,2})(?::?([0-5]\d))?$/i.exec(name);
  // No zone is further from UTC than 14 hours.
  if (offset && Number(offset[2]) <= 14) {
    return `${offset[1]}${(offset[2] ?? '').padStart(2, '0')}:${offset[3] ?? '00'}`;
  }
  // Only Region/City names: Node also knows "Japan" and "EST", which a file may mean otherwise.
  return REGION.test(name) && isTimeZone(name) ? name : null;
}

/** The regions of the IANA database. Asking Node about any other "yes/no" takes 15 ms at the first time. */
const REGION =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\//i;

/** Without brackets around it and "TimeZone" after it. */
function bare(words: string): string {
  const inner = /^[([]([^()[\]]*)[)\]]$/.exec(words.trim())?.[1] ?? words;
  return inner
    .replace('−', '-')
    .trim()
    .replace(/(?<![\s_])[\s_]*time[\s_]?zone$/i, '');
}
