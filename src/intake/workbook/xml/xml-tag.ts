import { nameEnd } from './xml-names.js';
import { malformed, type XmlAttributes } from './xml-parser.js';
import { withoutReferences } from './xml-references.js';

/** Reads start tags one after the other, its attributes being those of the last one. */
export interface XmlTag extends XmlAttributes {
  /** The element's name. */
  readonly name: string;
  readonly isSelfClosing: boolean;
  /**
   * Reads the tag that begins at `start`, a `<`, and returns the position after it; -1 when the tag isn't complete. The text ends
   * at `limit`, and some NUL characters follow.
   */
  read(text: string, start: number, limit: number): number;
}

/**
 * A tag that keeps the positions of its attributes instead of their texts, most of which no caller asks for. One closure, because
 * its steps share these positions.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its steps share these places
export function xmlTag(): XmlTag {
  let source = '';
  let name = '';
  let isSelfClosing = false;
  let declareNamespace = false;
  let count = 0;
  /** Four for each attribute: start and end of its name, start and end of its value. */
  let spans = new Int32Array(64);
  /** Values that differ from what is written, by attribute; null for the others. */
  const replaced: (string | null)[] = [];

  function read(text: string, start: number, limit: number): number {
    source = text;
    count = 0;
    declareNamespace = false;
    let at = nameEnd(text, start + 1);
    if (at === limit) return -1;
    if (at === start + 1) throw malformed('a tag without a name');
    name = text.slice(start + 1, at);
    for (;;) {
      let code = text.charCodeAt(at);
      const isApart = isSpace(code);
      while (isSpace(code)) {
        at += 1;
        code = text.charCodeAt(at);
      }
      if (code === GREATER) {
        isSelfClosing = false;
        break;
      }
      if (at === limit) return -1;
      if (code === SLASH) {
        at += 1;
        if (at === limit) return -1;
        if (text.charCodeAt(at) !== GREATER) throw malformed('a slash within a tag');
        isSelfClosing = true;
        break;
      }
      if (!isApart) throw malformed('no space before an attribute');
      at = readAttribute(text, at, limit);
      if (at < 0) return -1;
    }
    refuseRepeats();
    return at + 1;
  }

  function readAttribute(text: string, start: number, limit: number): number {
    const nameStop = nameEnd(text, start);
    if (nameStop === limit) return -1;
    if (nameStop === start) throw malformed('an attribute without a name');
    let at = skipSpace(text, nameStop);
    if (at === limit) return -1;
    if (text.charCodeAt(at) !== EQUALS) throw malformed('an attribute without a value');
    at = skipSpace(text, at + 1);
    if (at === limit) return -1;
    const quote = text.charCodeAt(at);
    if (quote !== DOUBLE && quote !== SINGLE) throw malformed('an attribute value without quotes');

    const valueStart = at + 1;
    let isLiteral = true;
    for (at = valueStart; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) break;
      if (code > LESS && code < 0xfffe) continue;
      if (at === limit) return -1;
      if (code === AMPERSAND || code === TAB || code === NEWLINE) isLiteral = false;
      else if (code === LESS || code < SPACE || code >= 0xfffe)
        throw malformed('a character in an attribute');
    }
    if (count * 4 === spans.length) {
      const longer = new Int32Array(spans.length * 2);
      longer.set(spans);
      spans = longer;
    }
    spans[count * 4] = start;
    spans[count * 4 + 1] = nameStop;
    spans[count * 4 + 2] = valueStart;
    spans[count * 4 + 3] = at;
    // White space that is written as such counts as a blank, but not what a reference stands for (3.3.3).
    replaced[count] = isLiteral
      ? null
      : withoutReferences(text.slice(valueStart, at).replace(/[\t\n]/g, ' '));
    if (text.charCodeAt(start) === LOWER_X && text.startsWith('xmlns', start)) declareNamespace = true;
    count += 1;
    return at + 1;
  }

  function refuseRepeats(): void {
    if (count < 2) return;
    if (count > FEW) {
      if (new Set(names()).size < count) throw malformed('the same attribute twice');
      return;
    }
    for (let one = 1; one < count; one += 1) {
      for (let other = 0; other < one; other += 1) {
        if (haveSameName(one, other)) throw malformed('the same attribute twice');
      }
    }
  }

  function haveSameName(one: number, other: number): boolean {
    const start = startOf(one);
    const length = stopOf(one) - start;
    const otherStart = startOf(other);
    if (length !== stopOf(other) - otherStart) return false;
    for (let i = 0; i < length; i += 1) {
      if (source.charCodeAt(start + i) !== source.charCodeAt(otherStart + i)) return false;
    }
    return true;
  }

  function names(): string[] {
    return Array.from({ length: count }, (_, i) => source.slice(startOf(i), stopOf(i)));
  }

  function get(attribute: string): string | undefined {
    for (let i = 0; i < count; i += 1) {
      if (!isNamed(i, attribute)) continue;
      return replaced[i] ?? source.slice(spans[i * 4 + 2], spans[i * 4 + 3]);
    }
    return undefined;
  }

  function isNamed(index: number, attribute: string): boolean {
    const start = startOf(index);
    if (stopOf(index) - start !== attribute.length) return false;
    for (let i = 0; i < attribute.length; i += 1) {
      if (source.charCodeAt(start + i) !== attribute.charCodeAt(i)) return false;
    }
    return true;
  }

  function startOf(index: number): number {
    return spans[index * 4] as number;
  }

  function stopOf(index: number): number {
    return spans[index * 4 + 1] as number;
  }

  return {
    read,
    get,
    names,
    get name() {
      return name;
    },
    get isSelfClosing() {
      return isSelfClosing;
    },
    get declareNamespace() {
      return declareNamespace;
    },
  };
}

const TAB = 0x09;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const DOUBLE = 0x22;
const AMPERSAND = 0x26;
const SINGLE = 0x27;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const LOWER_X = 0x78;

/** Up to this many attributes comparing each with each is the fastest; a tag of a million must not take forever. */
const FEW = 8;

/** XML 1.0, 2.3; carriage returns are gone by now. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === TAB;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}
