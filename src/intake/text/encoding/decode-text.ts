import { isAscii } from 'node:buffer';
import { readBytes } from '../../read-bytes.js';
import { findUndecodable } from '../line-counter.js';
import type { TextEncoding } from './decide-encoding.js';
import { decodeWindows1252 } from './windows-1252.js';

/** Replaces a NUL character, which no text, database or page may hold. */
export const NUL_SIGN = '␀';

/**
 * The text of a file without its byte-order mark, in pieces. Throws, with the line, for a byte that is no text in the encoding;
 * only NUL characters are replaced, by `NUL_SIGN`.
 */
export async function* decodeText(path: string, encoding: TextEncoding): AsyncGenerator<string> {
  for await (const text of decode(path, encoding))
    yield text.includes('\0') ? text.replaceAll('\0', NUL_SIGN) : text;
}

async function* decode(path: string, { name, bomBytes }: TextEncoding): AsyncGenerator<string> {
  // The mark has been skipped: one that follows is text.
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of readBytes(path, bomBytes)) {
      if (name === 'windows-1252') yield decodeWindows1252(chunk);
      // `decideEncoding` has proven that a file in UTF-8 is valid: what follows half a character isn't ASCII.
      else if (name === 'utf-8' && isAscii(chunk)) yield chunk.toString('latin1');
      else yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    // A decoder refuses bytes with a TypeError; any other error is the disk's.
    throw error instanceof TypeError ? await findUndecodable(path, name) : error;
  }
}
