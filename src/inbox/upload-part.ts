import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, linkSync, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '../domain/operator-error.js';
import { replaceFile, syncFolder } from '../workspace/files/durable.js';
import { exists, namesIn, statOf } from '../workspace/files/entries.js';
import { numberedName } from '../workspace/files/file-name.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { removeLeftovers } from '../workspace/files/leftover-files.js';

/** Waits for a decision: `.upload-<id>-<name>.part`, a name that no run imports. */
export interface UploadPart {
  /** Random, so that it can't be guessed. */
  readonly id: string;
  readonly path: string;
  /** Its sender's, made fit for a file. */
  readonly name: string;
  readonly bytes: number;
}

/** An upload without a decision is removed after a day. */
const KEPT_MS = 24 * 3_600_000;

/** A sender who sends nothing for half as long is stopped. */
const SILENT_MS = 60_000;

const PART = /^\.upload-([\w-]{32})-(.*)\.part$/s;

const PUTTING = 'put a file into the inbox';

/**
 * Writes a stream into an inbox as a part. Nothing is left of it after a fault or an abort; what the stream throws is
 * thrown as it comes.
 * @param name at most 200 bytes, without a slash.
 */
export async function writePart(
  inbox: string,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<UploadPart & { readonly sha256: string }> {
  const id = randomBytes(24).toString('base64url');
  const path = join(inbox, `.upload-${id}-${name}.part`);
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
    await replaceFile(path, (temporary) => pipeline(counted, createWriteStream(temporary), { signal }));
    return { id, path, name, bytes, sha256: hash.digest('hex') };
  } catch (error) {
    throw signal.aborted && !(error instanceof OperatorError) ? signal.reason : error;
  }
}

/** The part with this id; null: there is none, or not any more. */
export async function findPart(inbox: string, id: string): Promise<UploadPart | null> {
  return (await partsIn(inbox)).find((part) => part.id === id) ?? null;
}

/**
 * Gives a part its name, or one with a number: the file appears whole and at once, and overwrites nothing.
 * @returns the name that it has now; null where the part is gone.
 */
export async function placePart({ path }: UploadPart, inbox: string, name: string): Promise<string | null> {
  for (let number = 1; ; number += 1) {
    const own = numberedName(name, number);
    try {
      // A link, unlike a rename, never replaces a file. In one step, because a file with two names isn't taken.
      linkSync(path, join(inbox, own));
      unlinkSync(path);
      await syncFolder(inbox);
      return own;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      if (errorCode(error) === 'ENOENT' && !(await exists(path))) return null;
      throw ioError(PUTTING, inbox, error);
    }
  }
}

/** false: it is gone already. */
export async function removePart(inbox: string, id: string): Promise<boolean> {
  const part = await findPart(inbox, id);
  if (part !== null) await rm(part.path, { force: true });
  return part !== null;
}

/** And what processes that died have left. Throws OperatorError where there is no inbox. */
export async function removeOldParts(inbox: string, nowMs: number): Promise<void> {
  try {
    await removeLeftovers(inbox, nowMs - SILENT_MS);
    for (const { path, mtimeMs, nlink } of await partsIn(inbox)) {
      // With a second name it is placed: the process died before it had removed this one.
      if (nlink > 1 || mtimeMs < nowMs - KEPT_MS) await rm(path, { force: true });
    }
  } catch (error) {
    throw ioError(PUTTING, inbox, error);
  }
}

/** The first first; `mtimeMs`: when they came. */
export async function waitingParts(inbox: string) {
  return (await partsIn(inbox)).filter(({ nlink }) => nlink === 1).sort((a, b) => a.mtimeMs - b.mtimeMs);
}

async function partsIn(inbox: string) {
  const parts: (UploadPart & { readonly mtimeMs: number; readonly nlink: number })[] = [];
  for (const entry of await namesIn(inbox, 'look for uploads')) {
    const [, id, name] = PART.exec(entry) ?? [];
    if (id === undefined || name === undefined) continue;
    const path = join(inbox, entry);
    const stat = await statOf(path);
    if (stat?.isFile())
      parts.push({ id, path, name, bytes: stat.size, mtimeMs: stat.mtimeMs, nlink: stat.nlink });
  }
  return parts;
}
