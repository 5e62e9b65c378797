import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../folders.js';
import { writeFileAtomic } from './atomic-write.js';
import { syncFolder } from './durable.js';
import { ioError } from './io-error.js';
import { temporaryPath } from './left-files.js';

/**
 * Writes a folder so that its name shows all of its files or doesn't exist, also after a power cut. The folder must not exist; it
 * and its files are for their owner alone. On any error nothing is left.
 * @param files content by name; a name may have one folder before it.
 */
export async function writeFolderAtomic(path: string, files: ReadonlyMap<string, string>): Promise<void> {
  const temporary = temporaryPath(dirname(path));
  await makeFolder(temporary);
  try {
    for (const [name, content] of files) {
      await makeFolder(dirname(join(temporary, name)));
      await writeFileAtomic(join(temporary, name), content);
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
    throw ioError('write a folder', path, error);
  }
}
