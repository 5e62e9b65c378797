/**
 * True for the ordinary address that needs no further reading: ASCII in lower case, letters, digits and the usual punctuation of
 * companies, a domain of such labels with a top-level domain of letters, within the lengths of RFC 5321. Nearly every row has
 * one, so it is decided in one pass; any other address is read by the rules.
 */
export function isPlainAddress(text: string): boolean {
  const { length } = text;
  if (length > LONGEST_ADDRESS) return false;
  const at = text.indexOf('@');
  if (at < 1 || at > LONGEST_LOCAL) return false;
  let before = DOT;
  for (let i = 0; i < at; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (before === DOT) return false;
    } else if (!isLetterOrDigit(code) && code !== HYPHEN && code !== PLUS && code !== UNDERSCORE) {
      return false;
    }
    before = code;
  }
  return before !== DOT && isPlainDomain(text, at + 1, length);
}

const LONGEST_ADDRESS = 254;
const LONGEST_LOCAL = 64;
const LONGEST_LABEL = 63;

const PLUS = 0x2b;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;

/** At least two labels, none beginning or ending with a hyphen or holding two, the last one of letters alone. */
function isPlainDomain(text: string, start: number, end: number): boolean {
  let labelStart = start;
  let lastHasOthers = false;
  let before = DOT;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (before === DOT || before === HYPHEN || i - labelStart > LONGEST_LABEL) return false;
      labelStart = i + 1;
      lastHasOthers = false;
    } else if (code === HYPHEN) {
      if (before === DOT || before === HYPHEN) return false;
      lastHasOthers = true;
    } else if (!isLetterOrDigit(code)) {
      return false;
    } else if (code <= NINE) {
      lastHasOthers = true;
    }
    before = code;
  }
  const lastLength = end - labelStart;
  return labelStart > start && !lastHasOthers && lastLength >= 2 && lastLength <= LONGEST_LABEL;
}

const ZERO = 0x30;
const NINE = 0x39;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

function isLetterOrDigit(code: number): boolean {
  return (code >= LOWER_A && code <= LOWER_Z) || (code >= ZERO && code <= NINE);
}
