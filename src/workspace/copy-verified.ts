import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { failpoint } from '../domain/failpoint.js';
import { OperatorError } from '../domain/operator-error.js';
import { FILE_MODE } from './atomic-write.js';
import { syncFile } from './durable.js';
import { temporaryPath } from './left-files.js';

/** A copy under a temporary name that is known to have the bytes of its original. */
export interface VerifiedCopy {
  readonly path: string;
  /** The original as it was when it was copied. */
  readonly original: Stats;
}

/**
 * Copies a file into a folder, synced, and reads the copy again to compare size and SHA-256. Throws OperatorError
 * when the original changed meanwhile or the copy differs, and file system errors as they come; the copy is gone then.
 */
export async function copyVerified(from: string, folder: string): Promise<VerifiedCopy> {
  const path = temporaryPath(folder);
  try {
    const original = await lstat(from);
    const hash = createHash('sha256');
    await pipeline(
      createReadStream(from),
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
    const equal = copy.size === original.size && (await sha256Of(path)) === hash.digest('hex');
    if (!equal || !(await isUnchanged(from, original))) throw changed(from);
    failpoint('copy-verified');
    return { path, original };
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** True when the file at the path is still the one that `before` describes. */
export async function isUnchanged(path: string, before: Stats): Promise<boolean> {
  const now = await lstat(path);
  return (
    now.ino === before.ino &&
    now.size === before.size &&
    now.mtimeMs === before.mtimeMs &&
    now.ctimeMs === before.ctimeMs
  );
}

/** Lower-case hex SHA-256 of a file's bytes. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function changed(path: string): OperatorError {
  return new OperatorError({
    operation: 'copy a drop',
    subject: path,
    message: `${path} changed while it was copied, or the copy differs; the file is left where it is`,
    hint: 'The next run takes it; when this comes again, let the sender write under another name and rename.',
    exit: 'attention',
  });
}
