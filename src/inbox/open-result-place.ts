import type { Stats } from 'node:fs';
import { access, chmod, constants, copyFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { FILE_MODE, syncFile, syncFolder } from '../workspace/files/durable.js';
import { makeFolder } from '../workspace/files/entries.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { openPlace } from './open-place.js';
import { partName, type ResultPlace, type ResultTarget } from './result-place.js';

/** For a target that is no mail. Close it. @param root the workspace. */
export async function openResultPlace(
  { source, place, results }: ResultTarget,
  root: string,
  signal: AbortSignal,
): Promise<ResultPlace> {
  const { sftp, s3, folder } = results;
  if (folder !== undefined) return openFolder(resolve(root, folder), root);
  const server = await openPlace({ source, place, sftp, s3 }, root, signal);
  if (server.folder === null) throw new Error(`the results of source ${source.name} go to no folder`);
  return { ...server.folder, close: server.close };
}

const PUT = 'write a result';

/** Outside the workspace, those may read a file who may read the folder. */
async function openFolder(folder: string, root: string): Promise<ResultPlace> {
  const isOwn = folder.startsWith(root + sep);
  let stats: Stats;
  try {
    if (isOwn) await makeFolder(folder);
    stats = await stat(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw ioError(PUT, folder, error);
  }
  const mode = isOwn ? FILE_MODE : FILE_MODE | (stats.mode & READ_BY_OTHERS);
  return {
    async put(path, name) {
      const part = join(folder, partName(name));
      try {
        await copyFile(path, part);
        await chmod(part, mode);
        await syncFile(part);
        await rename(part, join(folder, name));
        await syncFolder(folder);
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined);
        throw ioError(PUT, folder, withoutPath(error));
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    close() {},
  };
}

const READ_BY_OTHERS = 0o044;

/** Its path has the name of the file, which may be personal. */
function withoutPath(error: unknown): unknown {
  const code = errorCode(error);
  return code === null ? error : Object.assign(new Error(code), { code });
}
