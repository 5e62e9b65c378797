import type { OperatorError } from '../domain/operator-error.js';
import { lineCounter } from './line-counter.js';
import { readBytes } from './read-bytes.js';
import { unreadable } from './unreadable.js';

/**
 * The refusal for a file that is not text in this encoding, naming the first byte at fault. Reads the file again:
 * a decoder that failed no longer knows where it was.
 */
export async function findUndecodable(path: string, encoding: string): Promise<OperatorError> {
  const { offset, line } = await firstUndecodable(path, encoding, await failingChunk(path, encoding));
  return unreadable(
    path,
    `line ${line} (byte ${offset + 1} of the file) is not text in ${encoding}`,
    'Correct encoding: of the source, or export the file as UTF-8.',
  );
}

/** Offset of the chunk that the decoder refuses; the file's length when only its end is wrong. */
async function failingChunk(path: string, encoding: string): Promise<number> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let offset = 0;
  for await (const chunk of readBytes(path)) {
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      break;
    }
    offset += chunk.length;
  }
  return offset;
}

/** Byte by byte from `from` on; before it, only lines are counted. */
async function firstUndecodable(path: string, encoding: string, from: number) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const counter = lineCounter();
  let offset = 0;
  for await (const chunk of readBytes(path)) {
    if (offset + chunk.length <= from) {
      counter.add(decoder.decode(chunk, { stream: true }));
      offset += chunk.length;
      continue;
    }
    for (const byte of chunk) {
      try {
        counter.add(decoder.decode(Uint8Array.of(byte), { stream: true }));
      } catch {
        return { offset, line: counter.line() };
      }
      offset += 1;
    }
  }
  return { offset: Math.max(0, offset - 1), line: counter.line() };
}
