import { visibleText } from '../../domain/text/visible-text.js';

/** Shorter texts are not redacted: they are hardly secrets, and replacing them would blot out ordinary words. */
const SHORTEST_SECRET = 4;

/** How many programs may have escaped a text one after the other: JSON within JSON within JSON. */
const MAX_ESCAPINGS = 3;

const REDACTED = '[redacted]';

/**
 * Replaces each secret in the text by `[redacted]`, and the whole text where it holds one with escapes of JSON, addresses,
 * forms or HTML, whether needed or not. Token and answer come from outside, so no pattern is built from either: the text is
 * decoded, again and again, and each time the secrets are looked for.
 * @param isCut the text may end within a secret, whose beginning counts too.
 */
export function redact(text: string, secrets: readonly string[], isCut = false): string {
  const hidden = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
  if (hidden.length === 0) return text;
  hidden.sort((one, other) => other.length - one.length);
  const without = hidden.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  if (isCut && hidden.some((secret) => endsWithin(text, secret))) return REDACTED;
  // A form writes a blank as a plus.
  const forms = hidden.flatMap((secret) => [secret, secret.replaceAll(' ', '+')]);
  let level = without;
  for (let times = 0; times <= MAX_ESCAPINGS; times += 1) {
    if (forms.some((form) => level.includes(form))) return REDACTED;
    level = level.replace(ESCAPE, (_, hex, decimal, name, itself) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCharCode(Number(decimal));
      return itself ?? HTML_NAMES[String(name).toLowerCase()];
    });
  }
  return without;
}

/** `\u0041`, `\x41`, `%41` or `&#x41;`; `&#65;`; `&amp;`; `\"`. Of letters beyond ASCII few are in secrets, and none in a token. */
const ESCAPE = /(?:\\u00|\\x|%|&#x(?=..;))([\da-f]{2});?|&#(\d{1,3});|&(amp|quot|apos|lt|gt);|\\(.)/gis;

const HTML_NAMES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };

function endsWithin(text: string, secret: string): boolean {
  for (let part = secret.length - 1; part >= SHORTEST_SECRET; part -= 1) {
    if (text.endsWith(secret.slice(0, part))) return true;
  }
  return false;
}

/**
 * The platform's words without the person, on one line: the given values, anywhere in the text and whatever their case, and
 * every e-mail address become an ellipsis. Fit for logs, and for grouping causes.
 */
export function impersonal(text: string, personal: readonly string[]): string {
  const line = onOneLine(text);
  const values = personal.map(onOneLine).filter(({ length }) => length > 0 && length <= line.length);
  values.sort((one, other) => other.length - one.length);
  const without = values.reduce((rest, value) => rest.replace(patternOf(value), '…'), line);
  return visibleText(without.replace(WORD, (word) => (word.indexOf('@') > 0 ? '…' : word)));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A text is clipped before it comes here: a value that it nearly repeats everywhere takes milliseconds. */
function patternOf(value: string): RegExp {
  const escaped = value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const isShort = value.length < SHORTEST_ANYWHERE;
  return new RegExp(isShort ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped, 'giu');
}

/** The shortest value that is replaced within words: a shorter one is part of many words and numbers that are no name. */
const SHORTEST_ANYWHERE = 4;

/** A word of a sentence, up to a character that ends an address. */
const WORD = /[^\s"'<>(),;:]+/g;
