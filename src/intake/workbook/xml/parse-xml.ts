import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import type { OperatorError } from '../../../domain/operator-error.js';
import { unreadable } from '../../unreadable.js';
import type { Archive } from '../../zip-entries.js';
import { malformed, type XmlAttributes, type XmlEvents, XmlFault, xmlScanner } from './xml-scanner.js';

/**
 * Feeds a part of an archive to the handlers, and yields the number of characters so far after every piece. Throws OperatorError for
 * XML that is broken, or built to exhaust its reader.
 */
export async function* parseXml(
  path: string,
  archive: Archive,
  part: string,
  handlers: XmlHandlers,
): AsyncGenerator<number> {
  const parser = xmlScanner(ownVocabulary(handlers));
  let chars = 0;
  try {
    for await (const text of decodeXml(archive.read(part))) {
      chars += text.length;
      parser.write(text);
      yield chars;
    }
    parser.end();
  } catch (error) {
    throw error instanceof XmlFault ? refusal(path, part, error) : error;
  }
}

/** Like `parseXml`, to the end and at once: for parts that are small in any workbook. */
export async function parseSmallXml(
  path: string,
  archive: Archive,
  part: string,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const chars of parseXml(path, archive, part, handlers)) {
    if (chars > SMALL_CHARS_MAX) {
      throw refusal(path, part, malformed(`more than ${SMALL_CHARS_MAX} characters`));
    }
  }
}

/** Styles reach some megabytes in old workbooks; the whole content of such a part is kept in memory. */
const SMALL_CHARS_MAX = 32 * 1024 * 1024;

/** The value of an attribute with this local name and any prefix, such as `id` of `r:id`. */
export function prefixedAttribute(attributes: XmlAttributes, local: string): string | undefined {
  return [...attributes].find(([name]) => name.endsWith(`:${local}`))?.[1];
}

function refusal(path: string, part: string, fault: XmlFault): OperatorError {
  return unreadable(path, 'xml-unsound', { part, why: fault.message }, fault);
}

/**
 * What happens while a part is read. Names are local ones, without prefix; the short cut is called only where an element
 * without prefix belongs to the vocabulary.
 */
export type XmlHandlers = Partial<XmlEvents>;

/** The namespaces that an element and those around it declare, by prefix. */
type Scope = ReadonlyMap<string, string>;

interface OpenElement {
  /** null: it is of another vocabulary, or within one. */
  readonly local: string | null;
  readonly scope: Scope;
  /** Whether elements without prefix within it belong to the vocabulary. */
  readonly isPlain: boolean;
}

/**
 * Passes on the elements in the root's namespace, whatever their prefix, and the text in them. Elements of another vocabulary
 * (extensions) are left out with all their content. An undeclared prefix is a namespace of its own.
 */
export function ownVocabulary(handlers: XmlHandlers): XmlEvents {
  const elements: OpenElement[] = [];
  let root: string | null = null;

  return {
    shortcut(source, start) {
      const isPlain = elements[elements.length - 1]?.isPlain === true;
      return isPlain && handlers.shortcut !== undefined ? handlers.shortcut(source, start) : -1;
    },
    open(name, attributes) {
      if (elements.length >= DEPTH_MAX) throw malformed('elements nested too deeply');
      const outer = elements[elements.length - 1];
      const scope = scopeOf(attributes, outer?.scope ?? NO_SCOPE);
      const colon = name.indexOf(':');
      const namespace = namespaceOf(name.slice(0, Math.max(0, colon)), scope);
      root ??= namespace;
      const isOwn = outer?.local !== null && namespace === root;
      const local = isOwn ? name.slice(colon + 1) : null;
      elements.push({ local, scope, isPlain: isOwn && namespaceOf('', scope) === root });
      if (local !== null) handlers.open?.(local, attributes);
    },
    text(text) {
      if (elements[elements.length - 1]?.local !== null) handlers.text?.(text);
    },
    close() {
      const local = elements.pop()?.local ?? null;
      if (local !== null) handlers.close?.(local);
    },
  };
}

/** Workbooks nest about ten deep. */
const DEPTH_MAX = 256;

const NO_SCOPE: Scope = new Map();

function scopeOf(attributes: XmlAttributes, outer: Scope): Scope {
  let own: Map<string, string> | null = null;
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    own ??= new Map(outer);
    own.set(name.slice('xmlns:'.length), value.trim());
  }
  return own ?? outer;
}

function namespaceOf(prefix: string, scope: Scope): string {
  return scope.get(prefix) ?? (prefix && `undeclared ${prefix}`);
}

/** The text of an XML document, its byte-order mark included. */
async function* decodeXml(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let isBetweenCharacters = true;
  for await (const chunk of bytes) {
    decoder ??= xmlDecoder(chunk);
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      // Sheets are mostly ASCII, which is ten times as fast to use without decoding.
      if (isBetweenCharacters && decoder.encoding === 'utf-8' && isAscii(piece)) {
        yield piece.toString('latin1');
        continue;
      }
      yield decode(decoder, piece);
      isBetweenCharacters = (piece[piece.length - 1] ?? 0) < 0x80;
    }
  }
  if (decoder !== null) yield decode(decoder, undefined);
}

/** The rows of one piece are in memory together: the starts of 400 rows, 50 MB if each holds only a cell in the last column. */
const PIECE_BYTES = 16 * 1024;

/** Without a chunk: what is left at the end. */
function decode(decoder: TextDecoder, chunk: Buffer | undefined): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw malformed(`bytes that are no ${decoder.encoding}`);
  }
}

/** By byte-order mark, else by the zero bytes around the first `<`, else as declared, else UTF-8. */
function xmlDecoder(start: Buffer): TextDecoder {
  const [first, second] = start;
  const utf16 =
    (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)
      ? 'utf-16le'
      : (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)
        ? 'utf-16be'
        : undefined;
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    start.toString('latin1', 0, 200),
  )?.[1];
  // The mark is left in, because a decoder that doesn't see the start would take a later one away.
  try {
    return new TextDecoder(utf16 ?? declared ?? 'utf-8', { fatal: true, ignoreBOM: true });
  } catch {
    throw malformed('an unknown encoding');
  }
}
