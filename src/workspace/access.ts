import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Group, groupId } from '../config/values/group-id.js';
import { errorCode, ioError } from './files/io-error.js';

/** Who besides this user may use a folder and what is in it: a group. */
export interface Access {
  readonly gid: number;
  /** With the setgid bit, so that what others put there is the group's, too. */
  readonly folderMode: number;
}

/** Members may look, and change nothing. */
export const READING = 0o2750;

/** Members may put files there, and take theirs away; Registrar can move them, whoever's they are. */
export const DROPPING = 0o2770;

const READ_BY_GROUP = 0o640;
const OWN_ALONE = 0o700;
const PERMISSIONS = 0o7777;

/** null where no group is named: then all is for this user alone. Loading the configuration has checked the group. */
export function accessFor(group: Group | undefined, folderMode: number): Access | null {
  const gid = group === undefined ? null : groupId(group);
  return gid === null ? null : { gid, folderMode };
}

/**
 * Makes a folder of the workspace for a group, or opens one that Registrar had made for its user alone. One that anybody
 * has given other rights or another owner is left as it is: `doctor` tells what it lacks.
 */
export async function makeShared(path: string, { gid, folderMode }: Access): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: OWN_ALONE });
    const { uid, mode } = await stat(path);
    if (uid !== process.geteuid?.() || (mode & PERMISSIONS) !== OWN_ALONE) return;
    await chown(path, uid, gid);
    await chmod(path, folderMode);
  } catch (error) {
    throw ioError('make a folder for a group', path, error);
  }
}

/** Lets others pass through a folder that Registrar had made for its user alone, without seeing what is in it. */
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
 * Gives a folder that this process has just written to a group: its files first, itself last, so that members see it
 * when it is whole.
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
