import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A folder for temporary files on another file system than those of tests; null where there is none. */
export const OTHER_FILE_SYSTEM: string | null =
  ['/dev/shm', '/var/tmp', '/tmp'].find((folder) => {
    const found = statSync(folder, { throwIfNoEntry: false });
    return found !== undefined && found.dev !== statSync(tmpdir()).dev;
  }) ?? null;
