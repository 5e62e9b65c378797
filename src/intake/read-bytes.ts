import { createReadStream, statSync } from 'node:fs';
import { unreadable } from './unreadable.js';

/** The rows of one chunk are short-lived and small; larger chunks make reading them slower. */
const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file from `start` on, in chunks; the file is closed when the reader stops early. */
export async function* readBytes(path: string, start = 0, chunkBytes = CHUNK_BYTES): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { start, highWaterMark: chunkBytes });
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
  throw unreadable(
    path,
    `the file ${now === null ? 'vanished' : 'changed'} while it was read`,
    'Wait until it is written completely, then run again.',
  );
}
