import { mentionsIn, replaceSpans, type Span, united } from '../../domain/text/text-mentions.js';
import { visibleText } from '../../domain/text/visible-text.js';

/** Shorter texts are not redacted: they are hardly secrets, and replacing them would blot out ordinary words. */
const SHORTEST_SECRET = 4;

/**
 * The shortest secret that is looked for in base64: of a shorter one too few letters are independent of the text around it.
 */
const SHORTEST_IN_BASE64 = 8;

/** How many programs may have escaped a text one after the other: JSON within JSON within JSON. */
const MAX_ESCAPINGS = 3;

const REDACTED = '[redacted]';

/**
 * Replaces each secret in the text by `[redacted]`: a plain one, one with escapes of JSON, addresses, forms or HTML,
 * whether needed or not, and one in base64 or hexadecimal digits. Token and answer come from outside, so no pattern is built
 * from either: the text is decoded, again and again, and each time the secrets are looked for.
 * @param isCut the text may end within a secret; then the beginning of that secret is removed too.
 */
export function redact(text: string, secrets: readonly string[], isCut = false): string {
  const forms = secrets.filter(({ length }) => length >= SHORTEST_SECRET).flatMap(formsOf);
  const spans: Span[] = [];
  let level: Level | null = forms.length === 0 ? null : inBytes(text);
  for (let times = 0; level !== null && times <= MAX_ESCAPINGS; times += 1) {
    for (const form of forms) spans.push(...placesOf(form, level, isCut));
    level = decoded(level, isCut);
  }
  return replaceSpans(text, united(spans), () => REDACTED);
}

/** A secret as it may be in a text whose escapes are decoded. */
interface Form {
  readonly bytes: string;
  readonly anyCase: boolean;
  /** The most bytes of its beginning that may be anything. */
  readonly shortest: number;
}

function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const coded = (form: string, anyCase: boolean) => ({ bytes: form, anyCase, shortest: SHORTEST_IN_BASE64 });
  return [
    { bytes: folded(bytes.toString('latin1')), anyCase: false, shortest: SHORTEST_SECRET },
    coded(bytes.toString('hex'), true),
    ...(secret.length < SHORTEST_IN_BASE64 ? [] : inBase64(bytes).map((form) => coded(folded(form), false))),
  ];
}

/**
 * The letters of the secret in base64 that don't depend on the text around it: three forms, by the position of the first
 * byte.
 */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A form writes a blank as a plus. */
function folded(bytes: string): string {
  return bytes.replaceAll('+', ' ');
}

/** A text as the bytes of UTF-8, one character each, and the place of each in the original. */
interface Level {
  readonly bytes: string;
  /** One more than bytes: the last is the end of the text. */
  readonly places: readonly number[];
}

function inBytes(text: string): Level {
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const end = places.length + Buffer.byteLength(character);
    while (places.length < end) places.push(at);
    at += character.length;
  }
  places.push(at);
  return { bytes: Buffer.from(text, 'utf8').toString('latin1'), places };
}

function placesOf(form: Form, { bytes, places }: Level, isCut: boolean): Span[] {
  const text = form.anyCase ? bytes.toLowerCase() : folded(bytes);
  const length = form.bytes.length;
  const spans: Span[] = [];
  const add = (from: number, to: number) => spans.push({ start: places[from] ?? 0, end: places[to] ?? 0 });
  for (let at = text.indexOf(form.bytes); at >= 0; at = text.indexOf(form.bytes, at + length))
    add(at, at + length);
  for (let part = Math.min(text.length, length - 1); isCut && part >= form.shortest; part -= 1) {
    if (text.endsWith(form.bytes.slice(0, part))) {
      add(text.length - part, text.length);
      break;
    }
  }
  return spans;
}

/** The same text with one level of escapes decoded, and without one that the end cuts; null: there are none. */
function decoded({ bytes, places }: Level, isCut: boolean): Level | null {
  const parts: string[] = [];
  const own: number[] = [];
  let from = 0;
  const keep = (until: number) => {
    parts.push(bytes.slice(from, until));
    for (; from < until; from += 1) own.push(places[from] ?? 0);
  };
  for (const match of bytes.matchAll(ESCAPE)) {
    const meant = meaningOf(match);
    keep(match.index);
    parts.push(meant);
    for (let byte = 0; byte < meant.length; byte += 1) own.push(places[from] ?? 0);
    from += match[0].length;
  }
  const cut = isCut ? bytes.slice(from).search(CUT_ESCAPE) : -1;
  if (from === 0 && cut < 0) return null;
  keep(cut < 0 ? bytes.length : from + cut);
  return { bytes: parts.join(''), places: [...own, places.at(-1) ?? 0] };
}

/** `\u00e9`, for each half of a character; `\x41`; `\"`; `%41`; `&#38;`, `&#x26;`, `&amp;`. */
const ESCAPE =
  /\\u(d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|[\da-f]{4})|\\x([\da-f]{2})|\\(.)|%([\da-f]{2})|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|quot|apos|lt|gt);/gis;

const CUT_ESCAPE = /(?:\\(?:u[\da-f]{0,3}|x[\da-f]?)?|%[\da-f]?|&[#\w]{0,8})$/i;

const HTML_NAMES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function meaningOf([whole, units, hex, itself, byte, decimal, entity, name = '']: RegExpExecArray): string {
  if (itself !== undefined) return itself;
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
  const letter =
    HTML_NAMES[name.toLowerCase()] ??
    (units === undefined
      ? codePoint(decimal === undefined ? Number.parseInt(hex ?? entity ?? '', 16) : Number(decimal))
      : units
          .split(/\\u/i)
          .map((unit) => String.fromCharCode(Number.parseInt(unit, 16)))
          .join(''));
  return Buffer.from(letter ?? whole, 'utf8').toString('latin1');
}

function codePoint(code: number): string | null {
  return code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/**
 * The platform's words without the person, on one line: the given values, anywhere in the text, and every e-mail address
 * become an ellipsis. Fit for logs, and for grouping causes.
 */
export function impersonal(text: string, personal: readonly string[]): string {
  const isShort = (value: string) => value.trim().length < SHORTEST_ANYWHERE;
  const short = mentionsIn(text, personal.filter(isShort));
  const withoutShort = replaceSpans(text, short, () => '…');
  const long = mentionsIn(
    withoutShort,
    personal.filter((value) => !isShort(value)),
    'any',
  );
  const without = replaceSpans(withoutShort, long, () => '…');
  const words = without.replace(WORD, (word) => (word.indexOf('@') > 0 ? '…' : word));
  return visibleText(words.replace(/\s+/g, ' '));
}

/** The shortest value that is replaced within words: a shorter one is part of many words and numbers that are no name. */
const SHORTEST_ANYWHERE = 4;

/** A word of a sentence, up to a character that ends an address. */
const WORD = /[^\s"'<>(),;:]+/g;
