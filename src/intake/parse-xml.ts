import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import type { Archive } from './open-archive.js';
import { unreadable } from './unreadable.js';

/** What happens while a part is read. Names are local ones, without prefix. */
export interface XmlHandlers {
  /** Attributes by name as written; look up prefixed ones with `prefixedAttribute`. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  /** A piece of text; one element's text may come in several. */
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Feeds a part of an archive to the handlers, yielding after every chunk so that the caller can pass on what it
 * has, or stop. Elements of another vocabulary than the root's (extensions) are left out with all they hold. Throws
 * OperatorError for XML that is broken, or built to exhaust its reader.
 */
export async function* parseXml(
  path: string,
  archive: Archive,
  part: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const damaged = (cause: unknown) =>
    unreadable(
      path,
      `the workbook is damaged: its part ${part} is not sound XML`,
      'Open it in Excel or LibreOffice and save it anew.',
      cause,
    );
  const parser = new SaxesParser({ xmlns: false, position: false });
  let prefix: string | null = null;
  let depth = 0;
  let foreignDepth = 0;
  let charsInOneToken = 0;

  parser.on('error', (error) => {
    throw damaged(error);
  });
  parser.on('doctype', () => {
    throw unreadable(
      path,
      `the workbook's part ${part} holds a document type declaration, which no workbook has`,
      'Do not open it; ask the sender how it was made.',
    );
  });
  parser.on('opentag', ({ name, attributes }) => {
    charsInOneToken = 0;
    depth += 1;
    if (depth > DEPTH_MAX) throw damaged(new Error('elements nested too deeply'));
    const colon = name.indexOf(':');
    prefix ??= name.slice(0, colon + 1);
    if (foreignDepth > 0 || colon + 1 !== prefix.length || !name.startsWith(prefix)) foreignDepth += 1;
    else handlers.open?.(name.slice(colon + 1), attributes);
  });
  const onText = (text: string) => {
    charsInOneToken = 0;
    if (foreignDepth === 0) handlers.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (foreignDepth > 0) foreignDepth -= 1;
    else handlers.close?.(name.slice(name.indexOf(':') + 1));
  });

  for await (const text of decodeXml(archive.read(part), damaged)) {
    charsInOneToken += text.length;
    parser.write(text);
    if (charsInOneToken > TOKEN_CHARS_MAX) throw damaged(new Error('a tag or text without end'));
    yield;
  }
  parser.close();
}

/** Like `parseXml`, to the end and at once: for parts whose outcome is all that counts. */
export async function parseWholeXml(
  path: string,
  archive: Archive,
  part: string,
  handlers: XmlHandlers,
): Promise<void> {
  for await (const _ of parseXml(path, archive, part, handlers));
}

/** The value of an attribute with this local name and any prefix, such as `id` of `r:id`. */
export function prefixedAttribute(
  attributes: Readonly<Record<string, string>>,
  local: string,
): string | undefined {
  const name = Object.keys(attributes).find((key) => key.endsWith(`:${local}`));
  return name === undefined ? undefined : attributes[name];
}

/** Workbooks nest about ten deep. */
const DEPTH_MAX = 256;

/** A cell holds 32,767 characters at most; the parser keeps a tag or a text in memory until it ends. */
const TOKEN_CHARS_MAX = 4 * 1024 * 1024;

async function* decodeXml(
  bytes: AsyncIterable<Buffer>,
  damaged: (cause: unknown) => unknown,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const chunk of bytes) {
    decoder ??= xmlDecoder(chunk, damaged);
    yield decode(decoder, chunk, damaged);
  }
  if (decoder !== null) yield decode(decoder, undefined, damaged);
}

function decode(
  decoder: TextDecoder,
  chunk: Buffer | undefined,
  damaged: (cause: unknown) => unknown,
): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch (error) {
    throw damaged(error);
  }
}

/** By byte-order mark, else by the zero bytes around the first `<`, else as declared, else UTF-8. */
function xmlDecoder(start: Buffer, damaged: (cause: unknown) => unknown): TextDecoder {
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
  try {
    return new TextDecoder(utf16 ?? declared ?? 'utf-8', { fatal: true });
  } catch (error) {
    throw damaged(error);
  }
}
