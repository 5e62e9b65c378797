/**
 * True for a text that stays one segment of a path (RFC 3986, 3.3) once it is percent-encoded, even where a server or a
 * proxy decodes it before it looks at the path: no part between slashes is empty, `.` or `..`, however often encoded,
 * and no backslash, control or half a character is in it. A slash alone may be: encoded, it divides nothing.
 */
export function isPathSegment(text: string): boolean {
  let decoded = text.normalize('NFKC');
  for (let round = 0; round <= MOST_DECODINGS; round++) {
    if (NO_PART.test(decoded) || decoded.split('/').some((part) => DOTS.has(part))) return false;
    decoded = decoded.replace(ESCAPE, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return true;
}

/**
 * True when a request to `baseUrl + path` asks for just that path and query: an address that is resolved on its way loses
 * a `..` with what stands before it. @param baseUrl without a slash at its end.
 */
export function leadsTo(baseUrl: string, path: string): boolean {
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const { pathname, search } = new URL(baseUrl + path);
  const [asked = ''] = path.split('?', 1);
  return pathname + search === base + path && asked.split('/').slice(1).every(isPathSegment);
}

/** A platform behind two proxies that each decode. */
const MOST_DECODINGS = 3;

const DOTS: ReadonlySet<string> = new Set(['', '.', '..']);

const NO_PART = /[\p{Cc}\p{Cs}\\]/u;

/** Of an ASCII character: the others are of several bytes, and no part of them is a dot or a slash. */
const ESCAPE = /%([0-7][0-9a-f])/gi;
