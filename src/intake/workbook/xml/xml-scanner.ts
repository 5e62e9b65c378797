import { nameEnd } from './xml-names.js';
import { malformed, TOKEN_CHARS_MAX, type XmlEvents, XmlFault, type XmlParser } from './xml-parser.js';
import { withoutReferences } from './xml-references.js';
import { isSpace, xmlTag } from './xml-tag.js';

/**
 * A strict parser for the two parts of a workbook that are large, several times as fast as `saxesParser`, which it
 * agrees with on everything but version 1.1 of XML: that is refused, since workbooks are XML 1.0 (ECMA-376 part 2).
 * A tag, a text or a comment is looked at once it is there whole; until then it is kept.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its steps share what is pending and which elements are open
export function xmlScanner(events: XmlEvents): XmlParser {
  const tag = xmlTag();
  const openNames: string[] = [];
  let sawCharacter = false;
  let isAtStart = true;
  let sawRoot = false;
  let endsWithCr = false;
  /** Text that has begun and not ended yet. */
  let pending: string[] = [];
  let pendingChars = 0;
  /** The position where the padding of the scanned text begins. */
  let limit = 0;
  /** Without this character, nothing that is pending can end. */
  let terminator = '';

  function write(chunk: string): void {
    const text = withLineFeeds(withoutMark(chunk));
    pending.push(text);
    pendingChars += text.length;
    if (text.includes(terminator)) {
      pending.push(PADDING);
      // Joined and not concatenated, since only the result of `join` is one piece of memory.
      const source = pending.join('');
      limit = source.length - PADDING.length;
      const rest = source.slice(scan(source), limit);
      pending = rest === '' ? [] : [rest];
      pendingChars = rest.length;
      terminator = rest === '' ? '' : isMarkup(rest) ? '>' : '<';
    }
    if (pendingChars > TOKEN_CHARS_MAX) throw malformed('a tag or text without end');
  }

  function end(): void {
    const rest = pending.join('') + (endsWithCr ? '\n' : '');
    if (openNames.length > 0 || !sawRoot || isMarkup(rest)) throw malformed('an unexpected end');
    refuseText(rest);
  }

  function withoutMark(chunk: string): string {
    if (sawCharacter || chunk === '') return chunk;
    sawCharacter = true;
    return chunk.startsWith(BYTE_ORDER_MARK) ? chunk.slice(1) : chunk;
  }

  /** Line ends are all `\n` to a reader of XML (2.11), also when one lies across the end of a chunk. */
  function withLineFeeds(chunk: string): string {
    if (!endsWithCr && !chunk.includes('\r')) return chunk;
    const text = endsWithCr ? `\r${chunk}` : chunk;
    endsWithCr = text.endsWith('\r');
    return (endsWithCr ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n');
  }

  /** Reports the complete part, and returns the position where the rest begins. */
  function scan(source: string): number {
    let at = isAtStart ? readStart(source) : 0;
    if (isAtStart) return 0;
    for (;;) {
      const markup = textEnd(source, at);
      if (markup < 0) return at;
      at = markup;
      const short = openNames.length > 0 ? (events.shortcut?.(source, at) ?? -1) : -1;
      const after = short < 0 ? readMarkup(source, at) : short;
      if (after < 0) return at;
      at = after;
    }
  }

  /** Skips the XML declaration, once enough text is there to recognise it. */
  function readStart(source: string): number {
    const head = source.slice(0, Math.min(limit, DECLARATION.length + 1));
    if (DECLARATION.startsWith(head)) return 0;
    if (!/^<\?xml[ \t\n?]/.test(head)) {
      isAtStart = false;
      return 0;
    }
    const stop = source.indexOf('?>');
    if (stop < 0) return 0;
    if (!DECLARATION_SYNTAX.test(source.slice(0, stop + 2))) throw malformed('a wrong XML declaration');
    isAtStart = false;
    return stop + 2;
  }

  /** Reports the text from `start` to the next `<`, whose position it returns; -1 while there is none. */
  function textEnd(source: string, start: number): number {
    let isLiteral = true;
    let at = start;
    for (; ; at += 1) {
      const code = source.charCodeAt(at);
      if (code === LESS) break;
      if (code > BRACKET && code < 0xfffe) continue;
      if (at === limit) return -1;
      if (code === AMPERSAND || code === BRACKET) isLiteral = false;
      else if ((code < SPACE && code !== NEWLINE && code !== TAB) || code >= 0xfffe)
        throw malformed(FORBIDDEN);
    }
    if (at === start) return at;
    const text = source.slice(start, at);
    if (openNames.length === 0) refuseText(text);
    else if (isLiteral) events.text(text);
    else {
      if (text.includes(']]>')) throw malformed('the end of a CDATA section without its start');
      events.text(withoutReferences(text));
    }
    return at;
  }

  /** Reads the markup that begins at `start`, a `<`, and returns the position after it; -1 when it isn't complete. */
  function readMarkup(source: string, start: number): number {
    switch (source.charCodeAt(start + 1)) {
      case SLASH:
        return readEndTag(source, start);
      case BANG:
        return readDeclaration(source, start);
      case QUESTION:
        return readInstruction(source, start);
      default:
        return start + 1 === limit ? -1 : readStartTag(source, start);
    }
  }

  function readStartTag(source: string, start: number): number {
    const after = tag.read(source, start, limit);
    if (after < 0) return -1;
    if (sawRoot && openNames.length === 0) throw malformed('a second root');
    sawRoot = true;
    const { name } = tag;
    events.open(name, tag);
    if (tag.isSelfClosing) events.close(name);
    else openNames.push(name);
    return after;
  }

  function readEndTag(source: string, start: number): number {
    const name = openNames[openNames.length - 1];
    if (name === undefined) throw malformed('an end tag without its start');
    let at = start + 2;
    for (let i = 0; i < name.length; i += 1, at += 1) {
      if (source.charCodeAt(at) === name.charCodeAt(i)) continue;
      if (at === limit) return -1;
      throw malformed('an end tag of another element');
    }
    while (isSpace(source.charCodeAt(at))) at += 1;
    if (at === limit) return -1;
    if (source.charCodeAt(at) !== GREATER) throw malformed('an end tag of another element');
    openNames.pop();
    events.close(name);
    return at + 1;
  }

  function readDeclaration(source: string, start: number): number {
    if (source.startsWith(COMMENT, start)) return readComment(source, start + COMMENT.length);
    if (source.startsWith(CDATA, start)) return readCdata(source, start + CDATA.length);
    if (source.startsWith(DOCTYPE, start)) throw new XmlFault('doctype', 'a document type declaration');
    const begun = source.slice(start, Math.min(limit, start + CDATA.length));
    if ([COMMENT, CDATA, DOCTYPE].some((opening) => opening.startsWith(begun))) return -1;
    throw malformed('a declaration that no document has');
  }

  function readComment(source: string, start: number): number {
    const dashes = source.indexOf('--', start);
    if (dashes < 0 || dashes + 2 === limit) return -1;
    if (source.charCodeAt(dashes + 2) !== GREATER) throw malformed('two dashes within a comment');
    refuseForbidden(source.slice(start, dashes));
    return dashes + 3;
  }

  function readCdata(source: string, start: number): number {
    if (openNames.length === 0) throw malformed('text outside of the root');
    const stop = source.indexOf(']]>', start);
    if (stop < 0) return -1;
    const text = source.slice(start, stop);
    refuseForbidden(text);
    events.text(text);
    return stop + 3;
  }

  function readInstruction(source: string, start: number): number {
    const stop = source.indexOf('?>', start + 2);
    if (stop < 0) return -1;
    const targetEnd = nameEnd(source, start + 2);
    const next = source.charCodeAt(targetEnd);
    if (targetEnd === start + 2 || !(isSpace(next) || next === QUESTION)) throw malformed('an instruction');
    const target = source.slice(start + 2, targetEnd);
    if (target.toLowerCase() === 'xml') throw malformed('an XML declaration after the start');
    refuseForbidden(source.slice(targetEnd, stop));
    return stop + 2;
  }

  return { write, end };
}

/**
 * Follows every scanned text, longer than any look-ahead: reading beyond the end of a text takes longer, and makes the engine
 * discard the code that it has compiled. No document holds the character.
 */
const PADDING = '\0'.repeat(16);

const BYTE_ORDER_MARK = '\ufeff';
const DECLARATION = '<?xml';
const DECLARATION_SYNTAX =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>$/;
const COMMENT = '<!--';
const CDATA = '<![CDATA[';
const DOCTYPE = '<!DOCTYPE';

const TAB = 0x09;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const BANG = 0x21;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const QUESTION = 0x3f;
const BRACKET = 0x5d;

const FORBIDDEN = 'a character that XML does not allow';

function isMarkup(rest: string): boolean {
  return rest.startsWith('<');
}

/** Outside of the root there is white space alone. */
function refuseText(text: string): void {
  if (/[^ \t\n]/.test(text)) throw malformed('text outside of the root');
}

/** XML 1.0, 2.2; carriage returns are gone by now. */
function refuseForbidden(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
  if (/[\0-\x08\x0b-\x1f\ufffe\uffff]/.test(text)) throw malformed(FORBIDDEN);
}
