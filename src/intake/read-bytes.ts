import { type BigIntStats, createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { unreadable } from './unreadable.js';

/** The rows of one chunk are short-lived and small; larger chunks make reading them slower. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file from `start` on, in chunks; the file is closed when the reader stops early. */
export async function* readBytes(path: string, start = 0, chunkBytes = CHUNK_BYTES): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { start, highWaterMark: chunkBytes });
}

/** The bytes of a piece of a file, from `start` to before `end`, in chunks. */
export function readPiece(path: string, start: number, end: number, chunkBytes: number): Readable {
  return createReadStream(path, { start, end: end - 1, highWaterMark: chunkBytes });
}

/** Changes when the file is replaced, appended to or written again; survives a rename. */
export function fileStamp(path: string): string {
  return stampOf(statSync(path, { bigint: true }));
}

/** The same; null: there is no file. */
export function stampIfThere(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : stampOf(stat);
}

/** With the time of change, which no program sets back as it does that of modification. */
function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Throws when the file is no longer the one that was stamped: its hash would not belong to its rows. */
export function assertUnchanged(path: string, stamp: string): void {
  if (fileStamp(path) === stamp) return;
  throw unreadable(
    path,
    'the file changed while it was read',
    'Wait until it is written completely, then run again.',
  );
}
