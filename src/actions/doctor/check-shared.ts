import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Access } from '../../workspace/access.js';
import { errorCode } from '../../workspace/files/io-error.js';
import { type Finding, findings } from './finding.js';

const folder = findings('folder', 'io');

/**
 * Checks whether the group that registrar.yaml names for a folder can use it, and nobody else can. No finding where the
 * folder is missing.
 */
export async function* checkShared(path: string, { gid, folderMode }: Access): AsyncGenerator<Finding> {
  try {
    const { gid: owner, mode } = await stat(path);
    const rights = mode & 0o7777;
    const text = octal(rights);
    if (owner !== gid || (rights & folderMode) !== folderMode) {
      yield folder.attention(
        path,
        `its group, gid ${gid}, can't use it: it belongs to gid ${owner} with the rights ${text}`,
        `chgrp ${gid} ${path} && chmod ${folderMode.toString(8)} ${path}`,
      );
    } else if ((rights & 0o007) !== 0) {
      yield folder.attention(path, `others than its group may use it: ${text}`, `chmod o= ${path}`);
    }
    const closed = await closedAbove(path, gid);
    if (closed !== null) {
      yield folder.attention(
        path,
        `its group, gid ${gid}, can't get there: ${closed.path} has the rights ${octal(closed.rights)} and doesn't let it pass`,
        `chmod o+x ${closed.path} lets others pass without listing what is in it; or name a folder elsewhere.`,
      );
    }
  } catch (error) {
    // A folder that can't be looked at is reported by another check.
    if (errorCode(error) === null) throw error;
  }
}

/** The uppermost parent folder that the group may not pass through; null where it may pass through all. */
async function closedAbove(path: string, gid: number): Promise<{ path: string; rights: number } | null> {
  const above = dirname(path);
  if (above === path) return null;
  const higher = await closedAbove(above, gid);
  if (higher !== null) return higher;
  const { gid: owner, mode } = await stat(above);
  const passes = (mode & (owner === gid ? 0o010 : 0o001)) !== 0;
  return passes ? null : { path: above, rights: mode & 0o7777 };
}

function octal(rights: number): string {
  return rights.toString(8).padStart(4, '0');
}
