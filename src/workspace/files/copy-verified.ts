import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { failpoint } from '../../domain/process/failpoint.js';
import { FILE_MODE, syncFile } from './durable.js';
import { isUntouched, markOf, openPlain } from './entries.js';
import { errorCode, ioError } from './io-error.js';
import { temporaryPath } from './leftover-files.js';

/** A copy under a temporary name that is known to have the bytes of its `original`, as that was when it was copied. */
export type VerifiedCopy = NonNullable<Awaited<ReturnType<typeof copyVerified>>>;

/**
 * Copies a file into a folder, synced, and reads the copy again to compare size and SHA-256. File system errors are thrown as
 * they come; then there is no copy.
 * @returns null where the original changed meanwhile, the copy differs, or the path is no plain file; then there is no copy.
 */
export async function copyVerified(from: string, folder: string) {
  const opened = openPlain(from);
  if (opened === null) return null;
  const { file } = opened;
  const path = temporaryPath(folder);
  let isWhole = false;
  try {
    const original = markOf(opened.stat);
    const hash = createHash('sha256');
    await pipeline(
      createReadStream(from, { fd: file, autoClose: false }),
      async function* hashed(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(path, { flags: 'wx', mode: FILE_MODE }),
    );
    failpoint('copy-written');
    await syncFile(path);
    const copy = await lstat(path);
    const sha256 = hash.digest('hex');
    const isEqual = copy.size === original.sizeBytes && (await sha256Of(path)) === sha256;
    isWhole = isEqual && isUntouched(original, markOf(await lstat(from)));
    if (!isWhole) return null;
    failpoint('copy-verified');
    return { path, original, sha256 };
  } finally {
    closeSync(file);
    if (!isWhole) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Lower-case hex SHA-256 of a file's bytes; null where it is gone, or may not be read. */
export async function sha256IfReadable(path: string): Promise<string | null> {
  try {
    return await sha256Of(path);
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return null;
    throw ioError('read a file', path, error);
  }
}

/** Lower-case hex SHA-256 of a file's bytes. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
