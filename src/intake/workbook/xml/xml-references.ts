import { malformed } from './xml-parser.js';

/** The text with its references replaced: the five entities that XML knows by itself, and characters by number. */
export function withoutReferences(text: string): string {
  let result = '';
  let from = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', from)) {
    const end = text.indexOf(';', at);
    if (end < 0) throw malformed('an ampersand that begins no reference');
    result += text.slice(from, at) + referent(text.slice(at + 1, end));
    from = end + 1;
  }
  return result + text.slice(from);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function referent(name: string): string {
  const entity = ENTITIES.get(name);
  if (entity !== undefined) return entity;
  const [, hex, decimal] = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(name) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (isCharacter(code)) return String.fromCodePoint(code);
  throw malformed('a reference to an entity or a character that does not exist');
}

/** XML 1.0, 2.2: no control characters but tab and line ends, no half of a pair, neither of the last two. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}
