/**
 * A strict parser of XML 1.0 without document types (ECMA-376 part 2), fed piece by piece; a piece never ends within a surrogate pair.
 * Both methods throw `XmlFault`. Markup is matched as a whole. What doesn't match, because its end is still to come or because it isn't
 * well-formed, is kept until the document ends or `TOKEN_CHARS_MAX` is reached, and is refused then.
 */
export function xmlScanner(events: XmlEvents) {
  const openNames: string[] = [];
  let isAtStart = true;
  let sawRoot = false;
  let endsWithCr = false;
  /** The beginning of a text or of markup whose end is still to come. */
  let rest = '';
  /** The rest isn't looked at before it is so long: twice as long as the last time, so that a long one costs no more per character. */
  let nextChars = 0;

  function write(chunk: string): void {
    const forbidden = chunk.search(FORBIDDEN);
    rest += withLineFeeds(forbidden < 0 ? chunk : chunk.slice(0, forbidden));
    if (forbidden < 0 && rest.length < nextChars) return;
    rest = rest.slice(scan(rest));
    if (forbidden >= 0) throw malformed('a character that XML does not allow');
    if (rest.length > TOKEN_CHARS_MAX) throw malformed('a tag or text without end');
    nextChars = Math.min(2 * rest.length, TOKEN_CHARS_MAX);
  }

  function end(): void {
    rest = rest.slice(scan(rest));
    if (openNames.length > 0 || !sawRoot || rest.startsWith('<')) throw malformed('an unexpected end');
    readText(rest);
  }

  /** Line ends are all `\n` to a reader of XML (2.11), also when one spans the end of a chunk. */
  function withLineFeeds(chunk: string): string {
    if (!endsWithCr && !chunk.includes('\r')) return chunk;
    const text = endsWithCr ? `\r${chunk}` : chunk;
    endsWithCr = text.endsWith('\r');
    return (endsWithCr ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n');
  }

  /** Reports the complete part, and returns the position where the rest begins. */
  function scan(source: string): number {
    let at = isAtStart && source.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    for (;;) {
      const markup = source.indexOf('<', at);
      if (markup < 0) return isAtStart ? 0 : at;
      if (markup > at) {
        readText(source.slice(at, markup));
        isAtStart = false;
      }
      at = readMarkup(source, markup);
      if (at < 0) return markup;
      isAtStart = false;
    }
  }

  function readText(text: string): void {
    if (openNames.length === 0) {
      if (/[^ \t\n]/.test(text)) throw malformed('text outside of the root');
    } else if (text.includes(']]>')) throw malformed('the end of a CDATA section without its start');
    else events.text(withoutReferences(text));
  }

  /** Reads the markup that begins at `start`, a `<`, and returns the position after it; -1 when it isn't complete. */
  function readMarkup(source: string, start: number): number {
    const isInRoot = openNames.length > 0;
    const short = isInRoot ? (events.shortcut?.(source, start) ?? -1) : -1;
    if (short >= 0) return short;
    const tag = matchAt(START_TAG, source, start);
    if (tag !== null) {
      readStartTag(tag);
      return START_TAG.lastIndex;
    }
    const endTag = matchAt(END_TAG, source, start);
    if (endTag !== null) {
      const name = openNames.pop();
      if (endTag[1] !== name || name === undefined) throw malformed('an end tag of another element');
      events.close(name);
      return END_TAG.lastIndex;
    }
    const cdata = isInRoot ? matchAt(CDATA, source, start) : null;
    if (cdata !== null) {
      events.text(cdata[1] ?? '');
      return CDATA.lastIndex;
    }
    if (source.startsWith('<!DOCTYPE', start)) throw malformed('a document type declaration');
    const other = isAtStart ? DECLARATION_OR_COMMENT : COMMENT;
    return matchAt(other, source, start) === null ? -1 : other.lastIndex;
  }

  function readStartTag([, name = '', attributes = '', slash]: RegExpExecArray): void {
    if (sawRoot && openNames.length === 0) throw malformed('a second root');
    sawRoot = true;
    events.open(name, attributes === '' ? NO_ATTRIBUTES : attributesOf(attributes));
    if (slash === '') openNames.push(name);
    else events.close(name);
  }

  return { write, end };
}

function matchAt(expression: RegExp, source: string, start: number): RegExpExecArray | null {
  expression.lastIndex = start;
  return expression.exec(source);
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const isLiteral = !/[&\t\n]/.test(text);
  let count = 0;
  for (let at = 0; at < text.length; at = ATTRIBUTE.lastIndex) {
    const [, name = '', double, single = ''] = matchAt(ATTRIBUTE, text, at) ?? [];
    const value = double ?? single;
    // White space that is written as such counts as a blank, but not the value of a reference (3.3.3).
    attributes.set(name, isLiteral ? value : withoutReferences(value.replace(/[\t\n]/g, ' ')));
    count += 1;
  }
  if (attributes.size < count) throw malformed('the same attribute twice');
  return attributes;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** The text with its references replaced: the five entities that XML knows by itself, and characters by number. */
function withoutReferences(text: string): string {
  return text.includes('&') ? text.replace(/&[^;]*;?/g, referent) : text;
}

function referent(reference: string): string {
  const entity = ENTITIES.get(reference);
  if (entity !== undefined) return entity;
  const [, hex, decimal] = /^&#(?:x([0-9A-Fa-f]+)|([0-9]+));$/.exec(reference) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code < 0xd800 || (code > 0xdfff && code <= 0x10ffff)) {
    const text = String.fromCodePoint(code);
    if (!FORBIDDEN.test(text)) return text;
  }
  throw malformed('a reference to an entity or a character that does not exist');
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
]);

const BYTE_ORDER_MARK = '\ufeff';

/** XML 1.0, 2.2: control characters but tab and line ends, and the last two. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** XML 1.0, 2.3. */
const START =
  ':A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD';
const PAIR = '[\\uD800-\\uDB7F][\\uDC00-\\uDFFF]';
const FURTHER = `[${START}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040]*`;
const NAME = `(?:[${START}]|${PAIR})${FURTHER}(?:${PAIR}${FURTHER})*`;
const SPACE = '[ \\t\\n]';
const EQUALS = `${SPACE}*=${SPACE}*`;

const START_TAG = new RegExp(
  `<(${NAME})((?:${SPACE}+${NAME}${EQUALS}(?:"[^<"]*"|'[^<']*'))*)${SPACE}*(/?)>`,
  'y',
);
const ATTRIBUTE = new RegExp(`${SPACE}+(${NAME})${EQUALS}(?:"([^"]*)"|'([^']*)')`, 'y');
const END_TAG = new RegExp(`</(${NAME})${SPACE}*>`, 'y');
const CDATA = /<!\[CDATA\[(.*?)\]\]>/sy;

/** A comment, or an instruction, whose name is not `xml`. */
const COMMENT = new RegExp(
  `<!--(?:(?!--).)*?-->|<\\?(?![Xx][Mm][Ll](?:${SPACE}|\\?))${NAME}(?:(?:${SPACE}|\\?).*?)??\\?>`,
  'sy',
);
const DECLARATION_OR_COMMENT = new RegExp(
  `<\\?xml${SPACE}+version${EQUALS}(?:"1\\.0"|'1\\.0')` +
    `(?:${SPACE}+encoding${EQUALS}(?:"[A-Za-z][\\w.-]*"|'[A-Za-z][\\w.-]*'))?` +
    `(?:${SPACE}+standalone${EQUALS}(?:"(?:yes|no)"|'(?:yes|no)'))?${SPACE}*\\?>|${COMMENT.source}`,
  'sy',
);

/** The attributes of one start tag, by their names as written. */
export type XmlAttributes = ReadonlyMap<string, string>;

/** Whether an attribute's text is a truth (ECMA-376 part 1, 22.9.2.7). */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

/** The events of a parser, in document order. Names are as written; comments and instructions are left out. */
export interface XmlEvents {
  open(name: string, attributes: XmlAttributes): void;
  /** A piece of text; one element's text may come in several. */
  text(text: string): void;
  close(name: string): void;
  /**
   * Called at every `<` within the root. May read complete, well-formed elements from `start` on in a form that it knows, and returns the
   * position after them; -1 leaves the element to the parser.
   */
  shortcut?(source: string, start: number): number;
}

/**
 * A tag, a text or a comment is kept in memory until it ends, so one that doesn't end is a fault. A cell holds 32,767
 * characters at most, and lists of ranges in attributes reach some 100,000.
 */
const TOKEN_CHARS_MAX = 1024 * 1024;

/** A document that is not read: not well-formed, or with a document type, which could define entities. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

/** `what` says which piece of the document is not well-formed, and why. */
export function malformed(what: string): XmlFault {
  return new XmlFault(what);
}
