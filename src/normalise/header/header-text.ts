import { didYouMean } from '../../config/did-you-mean.js';
import { remembering } from '../values/reading.js';
import { trimText } from '../values/trim-text.js';
import { zoneNamed } from '../values/zone-names.js';

/** A column header in the form that is compared. */
export interface HeaderText {
  /** Lower case, single spaces, no underscores, decorations or zone; '' for an empty header. */
  readonly text: string;
  /** The zone the header names for its column's times (IANA name or offset), null when it names none. */
  readonly zone: string | null;
  /** The text in the form by which headers are compared: headers with one key are the same name. */
  readonly key: string;
}

/**
 * Converts a header to the form of the aliases: compatibility forms folded (NFKC), invisible characters removed, underscores as
 * spaces, `*`, a colon at the end and "(required)" dropped, the zone taken off and kept. Remembered: files of a source have the same
 * headers, and each of them is compared with those of all presets.
 */
export const normaliseHeader = remembering((header: string): HeaderText => {
  const visible = header
    .slice(0, LONGEST_HEADER)
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[‘’]/g, "'");
  const { rest, zone } = splitHeaderZone(undecorated(visible));
  const text = undecorated(rest.replace(/_/g, ' ')).replace(/\s+/g, ' ').toLowerCase();
  return { text, zone, key: compactHeader(text) };
});

/**
 * The two parts of a header such as "User - Email" (reports that group their columns), null where there is no
 * group. Expects normalised text.
 */
export function splitGroup(text: string): { readonly group: string; readonly tail: string } | null {
  const at = text.lastIndexOf(' - ');
  return at <= 0 ? null : { group: text.slice(0, at), tail: text.slice(at + 3) };
}

/** The key by which headers are compared: headers with one key are the same name. '' for an empty header. */
export function headerKey(header: string): string {
  return normaliseHeader(header).key;
}

/** The most characters of a header that are compared; a title or a note above the header may be of any length. */
const LONGEST_HEADER = 300;

/** Without spaces, hyphens and the dots of abbreviations: "CourseID", "course-id"; "Kurs-Nr.", "Kurs Nr" are one name. */
export function compactHeader(text: string): string {
  return text.replace(/[\s-]|\.(?![\p{L}\p{N}])/gu, '');
}

function undecorated(text: string): string {
  let current = trimText(text);
  for (;;) {
    const next = trimText(current.replace(/^\*|[*:]$|\(required\)$/i, ''));
    if (next === current) return current;
    current = next;
  }
}

/**
 * The zone that a header's last words name: "(UTC TimeZone)", "(PST/PDT)", "(Europe/Berlin)", "(GMT+01:00)", or a
 * bare "UTC" at the end. `rest` is the header without it. The zone is an IANA name or an offset such as "+01:00";
 * null where the header names none.
 */
function splitHeaderZone(header: string): { readonly rest: string; readonly zone: string | null } {
  const bracket = /[([]([^()[\]]*)[)\]]$/.exec(header);
  if (bracket) {
    const zone = zoneNamed(bracket[1] ?? '');
    return zone === null ? { rest: header, zone } : { rest: header.slice(0, bracket.index), zone };
  }
  const bare = /[\s_-](?:utc|gmt)$/i.exec(header);
  return bare ? { rest: header.slice(0, bare.index), zone: 'UTC' } : { rest: header, zone: null };
}

/** The header most similar to the wanted one, for a "did you mean"; null when none is similar enough. */
export function nearestHeader(wanted: string, headers: readonly string[]): string | null {
  const key = normaliseHeader(wanted).text;
  const short = headers.filter((header) => header.length <= LONGEST_COMPARED);
  const isPart = (header: string) => {
    const { text } = normaliseHeader(header);
    return text.length >= 3 && (text.includes(key) || key.includes(text));
  };
  return short.find(isPart) ?? didYouMean(wanted.slice(0, LONGEST_COMPARED), short);
}

/** Longer texts are no names; comparing them letter by letter would take long. */
const LONGEST_COMPARED = 100;
