import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FILE_MODE, writeFileAtomic } from '../files/atomic-write.js';
import { syncFile, syncFolder } from '../files/durable.js';
import { exists } from '../files/entries.js';
import { errorCode, ioError } from '../files/io-error.js';
import { removeLeftFiles, temporaryPath } from '../files/left-files.js';
import { makeFolder, type WorkspacePaths } from '../folders.js';

/** A file that came in by the console and is in no inbox yet. */
export interface Upload extends UploadFacts {
  /** Nobody can guess it. */
  readonly id: string;
  readonly path: string;
}

/** What is known of it beside its bytes. */
export interface UploadFacts {
  readonly source: string;
  /** As its sender called it: any text. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Who sent it. */
  readonly who: string;
  readonly receivedAt: string;
}

/** An upload that nobody decides about is thrown away after a day. */
const KEPT_MS = 24 * 3_600_000;

const ID = /^[\w-]{32}$/;

/**
 * Writes a stream into the folder of uploads, for its owner alone. Nothing is left of it where the stream or the disk fails, or the signal
 * aborts; what the stream throws is thrown as it comes.
 */
export async function storeUpload(
  { uploads }: Pick<WorkspacePaths, 'uploads'>,
  chunks: AsyncIterable<Uint8Array>,
  facts: Omit<UploadFacts, 'bytes' | 'sha256'>,
  signal: AbortSignal,
): Promise<Upload> {
  await makeFolder(uploads);
  const temporary = temporaryPath(uploads);
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted() {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(counted, createWriteStream(temporary, { flags: 'wx', mode: FILE_MODE }), { signal });
    await syncFile(temporary);
    const id = randomBytes(24).toString('base64url');
    const path = pathOf(uploads, id);
    const known = { ...facts, bytes, sha256: hash.digest('hex') };
    // First, because a file without them is never shown, only cleaned away.
    await writeFileAtomic(factsOf(uploads, id), JSON.stringify(known));
    await rename(temporary, path);
    await syncFolder(uploads);
    return { ...known, id, path };
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    if (signal.aborted) throw signal.reason;
    if (errorCode(error) === null || !isOfDisk(error)) throw error;
    throw ioError('keep an upload', uploads, error);
  }
}

/** An error of a connection has a code too, but names no call to the disk. */
function isOfDisk(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && ['open', 'write', 'fsync', 'rename', 'close'].includes(syscall);
}

/** The upload with this id; null: there is none, or not any more. */
export async function findUpload(
  { uploads }: Pick<WorkspacePaths, 'uploads'>,
  id: string,
): Promise<Upload | null> {
  if (!ID.test(id)) return null;
  try {
    const path = pathOf(uploads, id);
    if (!(await lstat(path)).isFile()) return null;
    const facts = JSON.parse(await readFile(factsOf(uploads, id), 'utf8')) as UploadFacts;
    return { ...facts, id, path };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw ioError('read an upload', uploads, error);
  }
}

/** Throws an upload away; false where it was gone already. */
export async function removeUpload(
  { uploads }: Pick<WorkspacePaths, 'uploads'>,
  id: string,
): Promise<boolean> {
  if (!ID.test(id)) return false;
  try {
    const isThere = await exists(factsOf(uploads, id));
    await rm(pathOf(uploads, id), { force: true });
    await rm(factsOf(uploads, id), { force: true });
    return isThere;
  } catch (error) {
    throw ioError('remove an upload', uploads, error);
  }
}

/** Removes uploads that nobody has decided about for a day, and what processes that died have left. */
export async function removeOldUploads(
  { uploads }: Pick<WorkspacePaths, 'uploads'>,
  nowMs: number,
): Promise<void> {
  try {
    await removeLeftFiles(uploads);
    for (const name of await readdir(uploads)) {
      const path = join(uploads, name);
      const stat = await lstat(path).catch(() => null);
      if (stat === null || name.startsWith('.')) continue;
      // With a second name it is in an inbox: the process died before it had removed this one.
      const isPlaced = name.endsWith('.upload') && stat.nlink > 1;
      if (isPlaced || stat.mtimeMs < nowMs - KEPT_MS) await rm(path, { force: true });
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw ioError('clean the folder of uploads', uploads, error);
  }
}

function pathOf(uploads: string, id: string): string {
  return join(uploads, `${id}.upload`);
}

function factsOf(uploads: string, id: string): string {
  return join(uploads, `${id}.json`);
}
