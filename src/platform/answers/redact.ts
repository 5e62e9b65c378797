import { mentionsIn, replaceSpans } from '../../domain/text/text-mentions.js';
import { visibleText } from '../../domain/text/visible-text.js';

/** Shorter texts are not redacted: they are hardly secrets, and replacing them would blot out ordinary words. */
const SHORTEST_SECRET = 4;

/**
 * The shortest secret that is looked for in base64: of a shorter one too few letters are independent of the text around it.
 */
const SHORTEST_IN_BASE64 = 8;

/**
 * The longest escape of one character, such as `&#x00027;` or `%25252F`. A text that is cut within an escape ends with
 * fewer characters of it.
 */
const LONGEST_ESCAPE = 10;

const REDACTED = '[redacted]';

/**
 * Replaces each secret in the text by `[redacted]`: a plain one, one with escapes of JSON, addresses, forms or HTML,
 * whether needed or not, and one in base64 or hexadecimal digits. Token and answer come from outside, so both are compared
 * letter by letter, and no pattern is built from either.
 * @param isCut the text may end within a secret; then the beginning of that secret is removed too.
 */
export function redact(text: string, secrets: readonly string[], isCut = false): string {
  const worthIt = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  // Longest first: of a secret that begins with another secret no end must remain.
  const longestFirst = worthIt.sort((a, b) => b.length - a.length);
  return longestFirst.reduce((redacted, secret) => {
    const withoutForms = encodedForms(secret).reduce(
      (rest, form) => withoutForm(rest, form, isCut),
      // The usual forms first: below, a secret that itself looks like an escape (`%25`) would be read as an escape.
      usualForms(secret).reduce((rest, form) => rest.replaceAll(form, REDACTED), redacted),
    );
    return withoutEscaped(withoutHex(withoutForms, secret, isCut), secret, isCut);
  }, text);
}

function usualForms(secret: string): string[] {
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
  return forms.sort((a, b) => b.length - a.length);
}

/**
 * The letters of the secret in base64 that don't depend on the text around it: three forms, by the position of the first
 * byte.
 */
function encodedForms(secret: string): string[] {
  if (secret.length < SHORTEST_IN_BASE64) return [];
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const written = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const core = written.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function withoutForm(text: string, form: string, isCut: boolean): string {
  const redacted = text.replaceAll(form, REDACTED);
  return isCut ? redacted.slice(0, redacted.length - beginningAtEnd(redacted, form)) : redacted;
}

/** Redacts the secret in hexadecimal digits of either case. */
function withoutHex(text: string, secret: string, isCut: boolean): string {
  const form = Buffer.from(secret, 'utf8').toString('hex');
  const folded = text.replace(/[A-F]+/g, (digits) => digits.toLowerCase());
  let redacted = '';
  let from = 0;
  for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, from)) {
    redacted += text.slice(from, at) + REDACTED;
    from = at + form.length;
  }
  return redacted + text.slice(from, text.length - (isCut ? beginningAtEnd(folded.slice(from), form) : 0));
}

/** How many letters of the form are at the end of a text that was cut; 0 where they are so few that they may be anything. */
function beginningAtEnd(text: string, form: string): number {
  for (let length = Math.min(text.length, form.length - 1); length >= SHORTEST_IN_BASE64; length--) {
    if (text.startsWith(form.slice(0, length), text.length - length)) return length;
  }
  return 0;
}

function withoutEscaped(text: string, secret: string, isCut: boolean): string {
  // Several backslashes are one unit: a level of escapes multiplies them, so they can only be counted together.
  const units = secret.match(/\\+|./gsu) ?? [];
  const begins = new Set(['\\', '%', '&', '+', units[0]?.charAt(0)]);
  let redacted = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const end = begins.has(text.charAt(at)) ? endOf(text, at, units, isCut) : null;
    if (end === null) continue;
    redacted += text.slice(from, at) + REDACTED;
    from = end;
    at = end - 1;
  }
  return redacted + text.slice(from);
}

/** Where the secret ends that begins at `at`; null where no secret begins there. */
function endOf(text: string, at: number, units: readonly string[], isCut: boolean): number | null {
  let end = at;
  for (const [index, unit] of units.entries()) {
    const next = unit.startsWith('\\')
      ? endOfBackslashes(text, end, unit.length)
      : endOfCharacter(text, end, unit);
    if (next === null) {
      return isCut && index >= SHORTEST_SECRET && text.length - end < LONGEST_ESCAPE ? text.length : null;
    }
    end = next;
  }
  return end;
}

/** The end of the backslashes, each escaped, or up to eight times as many: JSON within JSON within JSON. */
function endOfBackslashes(text: string, at: number, count: number): number | null {
  let end: number | null = at;
  for (let n = 0; n < count && end !== null; n++) end = endOfEscape(text, end, '\\');
  if (end !== null) return end;
  const run = backslashesAt(text, at, count * 8);
  return run < count ? null : at + run;
}

/**
 * The end of a character that is escaped, or that has needless backslashes before it. The escape is tried first, because %25
 * begins with its own character.
 */
function endOfCharacter(text: string, at: number, character: string): number | null {
  const escaped = endOfEscape(text, at, character);
  if (escaped !== null) return escaped;
  const itself = at + backslashesAt(text, at, MAX_BACKSLASHES);
  return text.startsWith(character, itself) ? itself + character.length : null;
}

const MAX_BACKSLASHES = 7;

function backslashesAt(text: string, at: number, most: number): number {
  let count = 0;
  while (count < most && text[at + count] === '\\') count++;
  return count;
}

/** The end of the character's escape in JSON, an address, a form or HTML; null where there is no escape of it. */
function endOfEscape(text: string, at: number, character: string): number | null {
  switch (text[at]) {
    case '\\':
      return endOfUnits(text, at, character);
    case '%':
      return endOfBytes(text, at, character);
    case '&':
      return endOfEntity(text, at, character);
    case '+':
      return character === ' ' ? at + 1 : null;
    default:
      return null;
  }
}

/** `\u0041`, for each half of a character; `\x41`. */
function endOfUnits(text: string, at: number, character: string): number | null {
  let end = at;
  for (let half = 0; half < character.length; half++) {
    const run = backslashesAt(text, end, MAX_BACKSLASHES);
    const digits = text[end + run] === 'u' ? 4 : text[end + run] === 'x' ? 2 : 0;
    if (run === 0 || hexAt(text, end + run + 1, digits) !== character.charCodeAt(half)) return null;
    end += run + 1 + digits;
  }
  return end;
}

/** `%41`, and `%2541` where the address is part of another address. */
function endOfBytes(text: string, at: number, character: string): number | null {
  let end = at;
  for (const byte of Buffer.from(character, 'utf8')) {
    const digits = ['2525', '25', ''].find(
      (again) => text.startsWith(`%${again}`, end) && hexAt(text, end + 1 + again.length, 2) === byte,
    );
    if (digits === undefined) return null;
    end += 1 + digits.length + 2;
  }
  return end;
}

/** `&amp;`, `&#38;`, `&#x26;`. */
function endOfEntity(text: string, at: number, character: string): number | null {
  const entity = ENTITY.exec(text.slice(at, at + LONGEST_ESCAPE + 1));
  if (entity === null) return null;
  const [whole, decimal, hex, name] = entity;
  const code = name === undefined ? Number(decimal ?? `0x${hex}`) : HTML_NAMES[name];
  return code === character.codePointAt(0) ? at + whole.length : null;
}

const ENTITY = /^&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,7})|([a-z]{2,4}));/;

const HTML_NAMES: Readonly<Record<string, number>> = {
  amp: 0x26,
  quot: 0x22,
  apos: 0x27,
  lt: 0x3c,
  gt: 0x3e,
};

/** The number of `digits` hexadecimal digits at `at`; NaN where there are other characters. */
function hexAt(text: string, at: number, digits: number): number {
  const written = text.slice(at, at + digits);
  return digits > 0 && written.length === digits && /^[0-9a-f]+$/i.test(written)
    ? Number.parseInt(written, 16)
    : Number.NaN;
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
