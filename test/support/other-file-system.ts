import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A folder for temporary files on another file system than this folder; null where there is none. */
export function otherFileSystem(than: string): string | null {
  const { dev } = statSync(than);
  const isOther = (folder: string) => {
    const found = statSync(folder, { throwIfNoEntry: false });
    return found !== undefined && found.dev !== dev;
  };
  return ['/dev/shm', '/var/tmp', '/tmp'].find(isOther) ?? null;
}

/** One on another file system than the workspaces of tests. A test that needs it has the tag other-file-system. */
export const OTHER_FILE_SYSTEM: string | null = otherFileSystem(tmpdir());
