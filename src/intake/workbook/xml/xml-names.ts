/**
 * Where the name that begins at `start` ends (XML 1.0, 2.3), `start` itself when no name begins there. What follows the
 * text is a character that no name has.
 */
export function nameEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (!(first < 128 ? ASCII_START[first] : START.test(characterAt(text, start)))) return start;
  let at = start + (first < 0xd800 ? 1 : characterAt(text, start).length);
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      if (ASCII_NAME[code]) continue;
      return at;
    }
    const character = characterAt(text, at);
    if (!NAME.test(character)) return at;
    at += character.length - 1;
  }
  return at;
}

const START_CLASS =
  ':A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const START = new RegExp(`^[${START_CLASS}]$`, 'u');
const NAME = new RegExp(`^[${START_CLASS}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040]$`, 'u');

/** A look-up instead of an expression for the names that workbooks have. */
const ASCII_START = asciiTable(START);
const ASCII_NAME = asciiTable(NAME);

function asciiTable(accepted: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (accepted.test(String.fromCharCode(code)) ? 1 : 0));
}

/** '' beyond the end. */
function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
