import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { writeFileAtomic } from './atomic-write.js';
import { sha256Of } from './copy-verified.js';

/** The bytes of a file when it was taken in. */
export interface KnownBytes {
  readonly sha256: string;
  readonly bytes: number;
}

/** True when the file begins with these bytes, whatever comes after them. */
export async function beginsWith(path: string, { sha256, bytes }: KnownBytes): Promise<boolean> {
  return (await sha256Of(path, bytes)) === sha256;
}

/** Writes a file's first bytes to another one, which is replaced where it is there. */
export async function copyFirst(path: string, bytes: number, to: string): Promise<void> {
  await writeFileAtomic(to, async (temporary) => {
    if (bytes === 0) return;
    await pipeline(createReadStream(path, { end: bytes - 1 }), createWriteStream(temporary));
  });
}
