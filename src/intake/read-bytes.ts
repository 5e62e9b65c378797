import { createReadStream } from 'node:fs';

/** Large enough that the work per chunk doesn't count, small enough that a file never fills the memory. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file from `start` on, in chunks; the file is closed when the reader stops early. */
export function readBytes(path: string, start = 0): AsyncIterable<Buffer> {
  return createReadStream(path, { start, highWaterMark: CHUNK_BYTES });
}
