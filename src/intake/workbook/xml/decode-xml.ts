import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { malformed } from './xml-scanner.js';

/**
 * The text of an XML document in UTF-8, which is all that programs write, its byte-order mark included. Throws `XmlFault` for any
 * other bytes.
 */
export async function* decodeXml(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  // The mark is left in, because a decoder that doesn't see the start would take a later one away.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let isBetweenCharacters = true;
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst && OTHER_ENCODING.test(chunk.toString('latin1', 0, 200))) throw malformed('another encoding');
    isFirst = false;
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      // Sheets are mostly ASCII, which is ten times as fast to use without decoding.
      if (isBetweenCharacters && isAscii(piece)) {
        yield piece.toString('latin1');
        continue;
      }
      yield decode(decoder, piece);
      isBetweenCharacters = (piece[piece.length - 1] ?? 0) < 0x80;
    }
  }
  yield decode(decoder, undefined);
}

/** The declaration of an encoding that isn't UTF-8. */
const OTHER_ENCODING = /<\?xml[^>]*?\sencoding\s*=\s*["'](?!utf-8["'])/i;

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
    throw malformed('bytes that are no UTF-8');
  }
}
