import { linkSync, unlinkSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyVerified } from '../files/copy-verified.js';
import { syncFolder } from '../files/durable.js';
import { exists } from '../files/entries.js';
import { errorCode, ioError } from '../files/io-error.js';
import { removeLeftFiles } from '../files/left-files.js';
import { numberedName } from '../inbox/file-name-mistake.js';

/**
 * Moves a file into an inbox, where it appears whole and at once, under its name or, where that is taken, under one with a number. Nothing
 * is overwritten.
 * @returns the name that it has there; null where the file is gone.
 */
export async function placeInInbox(from: string, inbox: string, name: string): Promise<string | null> {
  try {
    const placed = await placeSame(from, inbox, name);
    if (placed !== 'elsewhere') return placed;
    await removeLeftFiles(inbox);
    const copy = await copyVerified(from, inbox);
    if (copy === null) return null;
    try {
      const own = await placeSame(copy.path, inbox, name);
      if (own === null) return null;
      await rm(from, { force: true });
      return own === 'elsewhere' ? null : own;
    } finally {
      await rm(copy.path, { force: true });
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !(await exists(from))) return null;
    throw ioError('put a file into the inbox', inbox, error);
  }
}

async function placeSame(from: string, inbox: string, name: string): Promise<string | null | 'elsewhere'> {
  for (let number = 1; ; number += 1) {
    const own = numberedName(name, number);
    const target = join(inbox, own);
    try {
      // A link, unlike a rename, never replaces a file. In one step, because a file with two names isn't taken.
      linkSync(from, target);
      unlinkSync(from);
      await syncFolder(inbox);
      await syncFolder(dirname(from));
      return own;
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (code === 'EEXIST') continue;
      if (code === 'EXDEV') return 'elsewhere';
      if (!NO_LINKS.includes(code)) throw error;
      if (await exists(target)) continue;
      return renamed(from, target, own);
    }
  }
}

/** File systems without links, such as some network shares. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK'];

async function renamed(from: string, target: string, own: string): Promise<string | 'elsewhere'> {
  try {
    await rename(from, target);
  } catch (error) {
    if (errorCode(error) === 'EXDEV') return 'elsewhere';
    throw error;
  }
  await syncFolder(dirname(target));
  return own;
}
