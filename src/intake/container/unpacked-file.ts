import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { SourceConfig } from '../../config/schema.js';
import { sizeWords } from '../../config/values/file-size.js';
import { unreadable } from '../unreadable.js';

export interface UnpackedFile {
  /** Its path in the archive; null: the container holds this file alone, which has no other name. */
  readonly name: string | null;
  readonly path: string;
  /** Lower-case hex SHA-256 of its bytes. */
  readonly sha256: string;
}

/** What may come out of a container, and where to. */
export interface UnpackRules {
  readonly source: Pick<SourceConfig, 'name' | 'match' | 'decrypt' | 'largestFileBytes'>;
  /** Whether a file of an archive is one for the source, by its name without folders; the others are passed over. */
  takes(name: string): boolean;
  /** A new path for each file, which is made for its owner alone. The caller removes them all, also after an error. */
  newPath(): Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Writes what comes out of the container `path`, and throws OperatorError once it is more than the rules allow. It isn't synced: after
 * a power cut it is unpacked once more. @param unpacked how many bytes have come out of it so far.
 */
export async function writeUnpacked(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { source: { largestFileBytes }, newPath, signal }: UnpackRules,
  unpacked: { bytes: number },
): Promise<Omit<UnpackedFile, 'name'>> {
  const hash = createHash('sha256');
  async function* counted() {
    for await (const chunk of chunks) {
      unpacked.bytes += chunk.length;
      if (unpacked.bytes > largestFileBytes)
        throw unreadable(path, 'unpacked-too-large', { most: sizeWords(largestFileBytes) });
      hash.update(chunk);
      yield chunk;
    }
  }
  const target = await newPath();
  await pipeline(counted, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  return { path: target, sha256: hash.digest('hex') };
}
