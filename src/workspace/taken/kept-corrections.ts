import { renameSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolderNow } from '../files/durable.js';
import { fitFileName } from '../files/file-name.js';
import { errorCode, ioError } from '../files/io-error.js';
import type { WorkspacePaths } from '../folders.js';

/** A corrected file that a person handed in and that is not taken in yet: no run takes it for a drop. */
export interface KeptCorrection {
  readonly path: string;
  /** The name under which it was handed in, shortened in the middle where it is too long. */
  readonly name: string;
}

/** Digits of a file's SHA-256 in its name. */
const DIGITS = 16;

const KEPT = new RegExp(`^correction-([0-9a-f]{${DIGITS}})-(.+)$`, 's');

/** True for the name of a correction in processing/. */
export function isKeptName(name: string): boolean {
  return KEPT.test(name);
}

/**
 * Keeps a complete file in the source's folder of processing/, so that it also survives a power cut. Synchronous, because a
 * transaction follows.
 */
export function keepCorrection(
  from: string,
  folder: string,
  { sha256, name }: { readonly sha256: string; readonly name: string },
): void {
  const path = join(folder, fitFileName(`correction-${sha256.slice(0, DIGITS)}-`, name));
  try {
    renameSync(from, path);
    syncFolderNow(folder);
  } catch (error) {
    throw ioError('keep a correction', path, error);
  }
}

/** The kept file with these bytes; null where it was put away or removed. */
export async function keptCorrection(folder: string, sha256: string): Promise<KeptCorrection | null> {
  for (const entry of await entriesOf(folder)) {
    const [, digits, name] = KEPT.exec(entry) ?? [];
    if (name !== undefined && digits === sha256.slice(0, DIGITS)) return { path: join(folder, entry), name };
  }
  return null;
}

/**
 * Removes the kept files without a decision: their process died before it made one. The caller holds the stage lease, under which
 * files are kept and decided about.
 * @param decided SHA-256 of the files that decisions wait for.
 */
export async function removeUndecided(
  { processing }: Pick<WorkspacePaths, 'processing'>,
  decided: readonly string[],
): Promise<void> {
  const known = new Set(decided.map((sha256) => sha256.slice(0, DIGITS)));
  for (const source of await entriesOf(processing)) {
    for (const entry of await entriesOf(join(processing, source))) {
      const digits = KEPT.exec(entry)?.[1];
      if (digits !== undefined && !known.has(digits))
        await rm(join(processing, source, entry), { force: true });
    }
  }
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw ioError('look for corrections', folder, error);
  }
}
