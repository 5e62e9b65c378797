/**
 * The end of the text that begins at `start`: the next `<`. -1 when there is none, or when the text isn't literal: it holds a
 * reference, a bracket that may end a CDATA section, or a character that XML doesn't allow.
 */
export function plainTextEnd(units: Uint16Array, start: number): number {
  for (let at = start; ; at += 1) {
    const code = units[at] as number;
    if (
      code > BRACKET
        ? code < 0xfffe
        : code >= SPACE && code !== AMPERSAND && code !== BRACKET && code !== LESS
    ) {
      continue;
    }
    if (code === LESS) return at;
    if (code !== NEWLINE && code !== TAB) return -1;
  }
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const AMPERSAND = 0x26;
const LESS = 0x3c;
const BRACKET = 0x5d;
