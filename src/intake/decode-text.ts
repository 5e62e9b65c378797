import { isAscii } from 'node:buffer';
import type { TextEncoding } from './decide-encoding.js';
import { findUndecodable } from './find-undecodable.js';
import { lineCounter } from './line-counter.js';
import { readBytes } from './read-bytes.js';
import { unreadable } from './unreadable.js';
import { decodeWindows1252 } from './windows-1252.js';

/**
 * The text of a file without byte-order mark, in pieces. Nothing is replaced: a byte that is no text in the encoding,
 * or a NUL character, throws with its line.
 */
export async function* decodeText(path: string, encoding: TextEncoding): AsyncGenerator<string> {
  const bytes = readBytes(path, encoding.bomBytes);
  if (encoding.name === 'utf-8') return yield* utf8(bytes);

  const counter = lineCounter();
  for await (const text of encoding.name === 'windows-1252'
    ? windows1252(bytes)
    : strict(path, encoding, bytes)) {
    const nul = text.indexOf('\0');
    if (nul >= 0) {
      counter.add(text.slice(0, nul));
      throw unreadable(
        path,
        `line ${counter.line()} holds a NUL character, which no text has`,
        'The file is damaged or in another encoding; export it again.',
      );
    }
    counter.add(text);
    yield text;
  }
}

/** `decideEncoding` has proven that the whole file is valid. */
async function* utf8(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = createDecoder('utf-8');
  for await (const chunk of bytes) {
    // Most chunks are ASCII; none that follows half a character can be.
    yield isAscii(chunk) ? chunk.toString('latin1') : decoder.decode(chunk, { stream: true });
  }
}

async function* windows1252(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of bytes) yield decodeWindows1252(chunk);
}

async function* strict(
  path: string,
  encoding: TextEncoding,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  const decoder = createDecoder(encoding.name);
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    // A decoder says no with a TypeError; anything else is the disk's.
    throw error instanceof TypeError ? await findUndecodable(path, encoding.name) : error;
  }
}

/** The mark has been skipped: one that follows is text. */
function createDecoder(encoding: string) {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
}
