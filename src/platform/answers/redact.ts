import { visibleText } from '../../domain/text/visible-text.js';

/** Shorter texts are not redacted: they are hardly secrets, and replacing them would blot out ordinary words. */
const MIN_SECRET_CHARS = 4;

/** The same in base64: of a shorter one too few letters are independent of the text around it. */
const MIN_IN_BASE64 = 8;

/** How many programs may have escaped a text one after the other: JSON within JSON within JSON. */
const MAX_ESCAPINGS = 3;

const REDACTED = '[redacted]';

/**
 * Replaces each secret in the text by `[redacted]`, and the whole text where it holds one in another form: with escapes of
 * JSON, addresses, forms or HTML, whether needed or not, in base64, or in hexadecimal digits. Token and answer come from
 * outside, so no pattern is built from either: the text is decoded, again and again, and each time the secrets are looked for.
 * @param isCut the text may end within a secret, whose beginning counts too.
 */
export function redact(text: string, secrets: readonly string[], isCut = false): string {
  const hidden = secrets.filter(({ length }) => length >= MIN_SECRET_CHARS);
  if (hidden.length === 0) return text;
  hidden.sort((one, other) => other.length - one.length);
  const without = hidden.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  const forms = hidden.flatMap(formsOf);
  let level = Buffer.from(without, 'utf8').toString('latin1');
  for (let times = 0; times <= MAX_ESCAPINGS; times += 1) {
    const ends = isCut ? [level, level.replace(CUT_ESCAPE, '')] : [];
    if (forms.some((form) => holds(level, form) || ends.some((end) => endsWithin(end, form))))
      return REDACTED;
    level = level.replace(ESCAPE, (...match) => meaningOf(match));
  }
  return without;
}

/** A secret as it may be in a text whose escapes are decoded; both are bytes of UTF-8, one character each. */
interface Form {
  readonly bytes: string;
  readonly fold: (bytes: string) => string;
  /** The most bytes of its beginning that may be anything. */
  readonly shortest: number;
}

function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = secret.length < MIN_IN_BASE64 ? [] : inBase64(bytes);
  return [
    { bytes: blanks(bytes.toString('latin1')), fold: blanks, shortest: MIN_SECRET_CHARS },
    { bytes: bytes.toString('hex'), fold: (text) => text.toLowerCase(), shortest: MIN_IN_BASE64 },
    ...base64.map((form) => ({ bytes: blanks(form), fold: blanks, shortest: MIN_IN_BASE64 })),
  ];
}

/** The letters of base64 that don't depend on the text around the secret, by the position of its first byte. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A form writes a blank as a plus. */
function blanks(bytes: string): string {
  return bytes.replaceAll('+', ' ');
}

function holds(text: string, { bytes, fold }: Form): boolean {
  return fold(text).includes(bytes);
}

function endsWithin(text: string, { bytes, fold, shortest }: Form): boolean {
  const end = fold(text.slice(-bytes.length));
  for (let part = bytes.length - 1; part >= shortest; part -= 1) {
    if (end.endsWith(bytes.slice(0, part))) return true;
  }
  return false;
}

/** `\u00e9`, for each half of a character; `\x41`; `\"`; `%41`; `&#38;`, `&#x26;`, `&amp;`. */
const ESCAPE =
  /\\u(d[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|[\da-f]{4})|\\x([\da-f]{2})|\\(.)|%([\da-f]{2})|&#(\d{1,7});|&#x([\da-f]{1,6});|&(amp|quot|apos|lt|gt);/gis;

const CUT_ESCAPE = /(?:\\(?:u[\da-f]{0,3}|x[\da-f]?)?|%[\da-f]?|&[#\w]{0,8})$/i;

const HTML_NAMES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function meaningOf([whole, units, hex, itself, byte, decimal, entity, name = '']: readonly string[]): string {
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
  return Buffer.from(letter ?? whole ?? '', 'utf8').toString('latin1');
}

function codePoint(code: number): string | null {
  return code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

/**
 * The platform's words without the person, on one line: the given values, whatever their case and blanks, and every e-mail
 * address become an ellipsis. Fit for logs, and for grouping causes. The values come from outside, so no pattern is built.
 */
export function impersonal(text: string, personal: readonly string[]): string {
  const line = onOneLine(text);
  const letters = folded(line);
  const values = personal.map((value) => folded(onOneLine(value).trim()));
  let shown = '';
  // Where the mentions so far end: of overlapping ones nothing is left between.
  let end = 0;
  for (let at = 0; at < line.length; at = Math.max(at + 1, end - FOUND_BY)) {
    const length = Math.max(0, ...values.map((value) => mentionAt(letters, at, value)));
    if (at >= end) shown += length > 0 ? '…' : line.charAt(at);
    end = Math.max(end, at + length);
  }
  return visibleText(shown.replace(WORD, (word) => (word.indexOf('@') > 0 ? '…' : word)));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** In one case, and as long as the text. Upper case first: it unites letters such as the two sigmas. */
function folded(text: string): string {
  const fold = (letter: string) => letter.toUpperCase().toLowerCase();
  return Array.from(text, (one) => (fold(one).length === one.length ? fold(one) : one)).join('');
}

/** The shortest value that is replaced within words: a shorter one is part of many words and numbers that are no name. */
const MIN_ANYWHERE = 4;

/** So many letters of a longer value are enough to find it, and so many at the end of a mention may begin the next. */
const FOUND_BY = 64;

/** How long the mention of the value is that begins there, of a shortened one with its ellipsis; 0: there is none. */
function mentionAt(letters: string, at: number, value: string): number {
  let length = 0;
  while (length < value.length && letters[at + length] === value[length]) length += 1;
  if (length === 0) return 0;
  const end = at + length;
  const beginsWord = !/[\p{L}\p{N}]$/u.test(letters.slice(Math.max(0, at - 2), at));
  if (beginsWord && end === letters.length - 1 && letters.endsWith('…')) return length + 1;
  if (length < value.length) return length < FOUND_BY ? 0 : length;
  const isWord = beginsWord && !/^[\p{L}\p{N}]/u.test(letters.slice(end, end + 2));
  return isWord || length >= MIN_ANYWHERE ? length : 0;
}

/** A word of a sentence, up to a character that ends an address. */
const WORD = /[^\s"'<>(),;:]+/g;
