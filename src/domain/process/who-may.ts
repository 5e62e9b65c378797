import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** The innermost folder or file that can be looked at, its owner, and this process's user. */
export function deniedText(path: string): string {
  const { place, stat } = innermost(path);
  const rights = (stat.mode & 0o7777).toString(8).padStart(4, '0');
  return `${place} belongs to uid ${stat.uid} and gid ${stat.gid} with the rights ${rights}, and this process is uid ${process.geteuid?.() ?? '?'}`;
}

export const DENIED_HINT =
  'Run Registrar as that user, or give this one the workspace (chown -R). In a container: start it with that uid, or chown the mounted folder to the uid of the image.';

/** True for an error by which the operating system or SQLite denies this process access. */
export function isDenied(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code);
  return code === 'EACCES' || code === 'EPERM';
}

/** True where this process may use the path in these ways: `constants.W_OK` and the like. */
export function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** True when the path is, or would be, on a file system that is mounted read-only. */
export function isReadOnlyDisk(path: string): boolean {
  try {
    accessSync(innermost(path).place, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

function innermost(path: string): { place: string; stat: Stats } {
  try {
    return { place: path, stat: lstatSync(path) };
  } catch (error) {
    if (dirname(path) === path) throw error;
    return innermost(dirname(path));
  }
}
