import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';

/** What the rows of one chunk come to is short-lived and small; larger chunks make reading them slower. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file from `start` to before `end`, in chunks; the file is closed when the reader stops early. */
export function readBytes(
  path: string,
  start = 0,
  chunkBytes = CHUNK_BYTES,
  end = Number.POSITIVE_INFINITY,
): AsyncIterable<Buffer> & Readable {
  return createReadStream(path, { start, end: end - 1, highWaterMark: chunkBytes });
}
