import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../files/durable.js';
import { namesIn } from '../files/entries.js';
import { fitFileName } from '../files/file-name.js';
import { ioError } from '../files/io-error.js';
import type { WorkspacePaths } from '../folders.js';

/** A corrected file that a person handed in and that is not taken in yet: no run takes it for a drop. */
export interface KeptCorrection {
  readonly path: string;
  /** The name under which it was handed in, shortened in the middle where it is too long. */
  readonly name: string;
}

const LOOKING = 'look for corrections';

/** Digits of a file's SHA-256 in its name. */
const DIGITS = 16;

const KEPT = new RegExp(`^correction-([0-9a-f]{${DIGITS}})-(.+)$`, 's');

/** True for the name of a correction in processing/. */
export function isKeptName(name: string): boolean {
  return KEPT.test(name);
}

/** Keeps a complete file in the source's folder of processing/, so that it also survives a power cut. */
export async function keepCorrection(
  from: string,
  folder: string,
  { sha256, name }: { readonly sha256: string; readonly name: string },
): Promise<void> {
  const path = join(folder, fitFileName(`correction-${sha256.slice(0, DIGITS)}-`, name));
  try {
    await rename(from, path);
    await syncFolder(folder);
  } catch (error) {
    throw ioError('keep a correction', path, error);
  }
}

/** The kept file with these bytes; null where it was put away or removed. */
export async function keptCorrection(folder: string, sha256: string): Promise<KeptCorrection | null> {
  for (const entry of await namesIn(folder, LOOKING)) {
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
  for (const source of await namesIn(processing, LOOKING)) {
    for (const entry of await namesIn(join(processing, source), LOOKING)) {
      const digits = KEPT.exec(entry)?.[1];
      if (digits !== undefined && !known.has(digits))
        await rm(join(processing, source, entry), { force: true });
    }
  }
}
