import { closeSync, constants, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { unreadable } from './unreadable.js';

/** The rows of one chunk are short-lived and small; larger chunks make reading them slower. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file from `start` on, in chunks; the file is closed when the reader stops early. */
export async function* readBytes(path: string, start = 0, chunkBytes = CHUNK_BYTES): AsyncGenerator<Buffer> {
  const all = readSmall(path);
  if (all === null) yield* createReadStream(path, { start, highWaterMark: chunkBytes });
  else if (all.length > start) yield all.subarray(start);
}

/**
 * A small file as a whole; null for any other. A stream takes a chunk of memory and waits five times for another thread, which is
 * most of the cost of a small file, and each file is read several times.
 */
function readSmall(path: string): Buffer | null {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size >= CHUNK_BYTES) return null;
    const bytes = Buffer.allocUnsafe(stat.size + 1);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    // The file has grown since.
    return length === bytes.length ? null : bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/**
 * Changes when the file is replaced, appended to or written again; survives a rename. null: there is no file. With the time of
 * change, which no program sets back as it does that of modification.
 */
export function fileStamp(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Throws when the file is no longer the one that was stamped: its hash would not belong to its rows. */
export function assertUnchanged(path: string, stamp: string | null): void {
  const now = fileStamp(path);
  if (now === stamp) return;
  throw unreadable(path, 'file-changed', { how: now === null ? 'vanished' : 'changed' });
}
