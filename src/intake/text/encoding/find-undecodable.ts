import type { OperatorError } from '../../../domain/operator-error.js';
import { readBytes } from '../../read-bytes.js';
import { unreadable } from '../../unreadable.js';
import { lineCounter } from '../line-counter.js';

/**
 * The refusal for a file that is not text in this encoding, naming the first byte at fault. Reads the file again:
 * a decoder that failed no longer knows where it was.
 */
export async function findUndecodable(path: string, encoding: string): Promise<OperatorError> {
  const { offset, line, column } = await placeOfUndecodable(path, encoding);
  return unreadable(
    path,
    `line ${line}, column ${column} (byte ${offset + 1} of the file) is not text in ${encoding}`,
    'Correct encoding: of the source, or export the file as UTF-8.',
  );
}

/** The first character that can't be decoded. */
export async function placeOfUndecodable(path: string, encoding: string) {
  return firstUndecodable(path, encoding, await beforeFailingChunk(path, encoding));
}

/** Offset of the chunk before the one that the decoder refuses: the wrong character may begin at its end. */
async function beforeFailingChunk(path: string, encoding: string): Promise<number> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let offset = 0;
  let lastBytes = 0;
  for await (const chunk of readBytes(path)) {
    try {
      decoder.decode(chunk, { stream: true });
    } catch {
      break;
    }
    offset += chunk.length;
    lastBytes = chunk.length;
  }
  return offset - lastBytes;
}

/**
 * The offset of the first character that can't be decoded: searched byte by byte from `from` on; before it only lines are
 * counted.
 */
async function firstUndecodable(path: string, encoding: string, from: number) {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const counter = lineCounter();
  let offset = 0;
  let characterStart = 0;
  for await (const chunk of readBytes(path)) {
    const isSound = offset + chunk.length <= from;
    for (const bytes of isSound ? [chunk] : singleBytes(chunk)) {
      try {
        const text = decoder.decode(bytes, { stream: true });
        offset += bytes.length;
        if (text === '') continue;
        counter.add(text);
        characterStart = offset;
      } catch {
        return { offset: characterStart, line: counter.line(), column: counter.column() };
      }
    }
  }
  return { offset: characterStart, line: counter.line(), column: counter.column() };
}

function* singleBytes(chunk: Buffer): Generator<Uint8Array> {
  for (const byte of chunk) yield Uint8Array.of(byte);
}
