import { createReadStream } from 'node:fs';

/** What the rows of one chunk come to is short-lived and small; larger chunks make reading them slower. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file from `start` on, in chunks; the file is closed when the reader stops early. */
export function readBytes(path: string, start = 0, chunkBytes = CHUNK_BYTES): AsyncIterable<Buffer> {
  return createReadStream(path, { start, highWaterMark: chunkBytes });
}
