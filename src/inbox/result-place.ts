import type { Stats } from 'node:fs';
import { access, chmod, constants, copyFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import { FILE_MODE, syncFile, syncFolder } from '../workspace/files/durable.js';
import { makeFolder } from '../workspace/files/entries.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { openPlace } from './open-place.js';
import { s3Place, sftpPlace } from './remote-inbox.js';
import { partName, type RemoteFolder } from './remote-place.js';

type Results = NonNullable<SourceConfig['results']>;

export interface ResultTarget {
  readonly source: SourceConfig;
  /** For people: a folder, or a server and its folder, without the account; of mail the channel. */
  readonly place: string;
  readonly results: Results;
}

/** The target for results of a source; null: it has none. */
export function resultTargetOf(source: SourceConfig): ResultTarget | null {
  const { results } = source;
  return results === undefined ? null : { source, place: placeOf(results), results };
}

function placeOf({ folder, sftp, s3, mail }: Results): string {
  if (sftp !== undefined) return sftpPlace(sftp);
  if (s3 !== undefined) return s3Place(s3);
  return mail === undefined
    ? (folder ?? '')
    : `mail through ${mail.channel ?? 'the first channel with email'}`;
}

/** All of it throws OperatorError. */
export type ResultPlace = Pick<RemoteFolder, 'put' | 'remove'> & { close(): void };

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
