import { isAscii } from 'node:buffer';
import { readBytes } from '../../read-bytes.js';
import { decodeWindows1252 } from './code-pages.js';
import type { TextEncoding } from './decide-encoding.js';
import { findUndecodable } from './find-undecodable.js';

/** Stands for a NUL character, which no text, database or page may hold. */
export const NUL_SIGN = '␀';

/**
 * The text of a file without its byte-order mark, in pieces. Throws, with the line, for a byte that is no text in the encoding;
 * only NUL characters are replaced, by `NUL_SIGN`.
 */
export async function* decodeText(path: string, encoding: TextEncoding): AsyncGenerator<string> {
  for await (const text of decode(path, encoding))
    yield text.includes('\0') ? text.replaceAll('\0', NUL_SIGN) : text;
}

function decode(path: string, encoding: TextEncoding): AsyncGenerator<string> {
  const bytes = readBytes(path, encoding.bomBytes);
  if (encoding.name === 'utf-8') return utf8(bytes);
  return encoding.name === 'windows-1252' ? windows1252(bytes) : strict(path, encoding, bytes);
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
    // A decoder refuses bytes with a TypeError; any other error is the disk's.
    throw error instanceof TypeError ? await findUndecodable(path, encoding.name) : error;
  }
}

/** The mark has been skipped: one that follows is text. */
function createDecoder(encoding: string) {
  return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
}
