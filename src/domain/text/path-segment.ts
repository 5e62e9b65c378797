/**
 * Whether a text stays one segment of a path (RFC 3986, 3.3), even where proxies decode it: no part between slashes
 * is empty, `.` or `..`, however often encoded.
 */
export function isPathSegment(text: string): boolean {
  let decoded = text.normalize('NFKC');
  for (let round = 0; round <= MAX_DECODINGS; round++) {
    if (NO_PART.test(decoded) || decoded.split('/').some((part) => DOTS.has(part))) return false;
    decoded = decoded.replace(ESCAPE, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return true;
}

/** Resolving an address removes a `..` with the segment before it. @param baseUrl without a slash at its end. */
export function leadsTo(baseUrl: string, path: string): boolean {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const { pathname, search } = new URL(baseUrl + path);
  const [pathOnly = ''] = path.split('?', 1);
  return pathname + search === base + path && pathOnly.split('/').slice(1).every(isPathSegment);
}

/** A platform behind two proxies that each decode. */
const MAX_DECODINGS = 3;

const DOTS: ReadonlySet<string> = new Set(['', '.', '..']);

const NO_PART = /[\p{Cc}\p{Cs}\\]/u;

/** The escape of an ASCII character: other characters have several bytes, and none of those is a dot or a slash. */
const ESCAPE = /%([0-7][0-9a-f])/gi;
