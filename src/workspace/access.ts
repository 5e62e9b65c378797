import { chmod, chown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Group, groupId } from '../config/values/group-id.js';
import { makePath } from './files/entries.js';
import { errorCode, ioError } from './files/io-error.js';

/** The group that may use a folder and its content besides this user. */
export interface Access {
  readonly gid: number;
  /** With the setgid bit, so that files that others put there belong to the group, too. */
  readonly folderMode: number;
}

/** Members may read, and change nothing. */
export const READING = 0o2750;

/** Members may add files, and remove their own; Registrar can move any file, whoever owns it. */
export const DROPPING = 0o2770;

const READ_BY_GROUP = 0o640;
const OWN_ALONE = 0o700;
const PERMISSIONS = 0o7777;

/** null where no group is named: then everything is for this user alone. Loading the configuration has checked the group. */
export function accessFor(group: Group | undefined, folderMode: number): Access | null {
  const gid = group === undefined ? null : groupId(group);
  return gid === null ? null : { gid, folderMode };
}

/**
 * Creates a folder of the workspace for a group, or opens one that Registrar had created for its user alone. A folder with other
 * rights or another owner is left as it is: `doctor` reports what it lacks.
 */
export async function makeShared(path: string, { gid, folderMode }: Access): Promise<void> {
  try {
    await makePath(path, OWN_ALONE);
    const { uid, mode } = await stat(path);
    if (uid !== process.geteuid?.() || (mode & PERMISSIONS) !== OWN_ALONE) return;
    await chown(path, uid, gid);
    await chmod(path, folderMode);
  } catch (error) {
    throw ioError('make a folder for a group', path, error);
  }
}

/** Lets others pass through a folder that Registrar had created for its user alone, without seeing its content. */
export async function letPass(path: string): Promise<void> {
  try {
    const { uid, mode } = await stat(path);
    if (uid === process.geteuid?.() && (mode & PERMISSIONS) === OWN_ALONE) await chmod(path, 0o711);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw ioError('let others pass through a folder', path, error);
  }
}

/**
 * Gives a folder that this process has just written to a group: its files first, the folder last, so that members see it only
 * when it is complete.
 */
export async function shareFolder(path: string, { gid, folderMode }: Access): Promise<void> {
  const uid = process.geteuid?.() ?? -1;
  try {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(path, entry.name);
      if ((await stat(file)).uid !== uid) continue;
      await chown(file, uid, gid);
      await chmod(file, READ_BY_GROUP);
    }
    await chown(path, uid, gid);
    await chmod(path, folderMode);
  } catch (error) {
    throw ioError('give a report to its group', path, error);
  }
}
