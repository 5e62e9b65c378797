import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { malformed } from './xml-scanner.js';

/**
 * The text of an XML document, its byte-order mark included. Throws `XmlFault` for bytes that are no text and for an unknown
 * encoding.
 */
export async function* decodeXml(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
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

/**
 * The rows of one piece are in memory together. 16 KiB are the starts of 400 rows; if each holds only a cell in the last column,
 * these rows are 50 MB.
 */
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
