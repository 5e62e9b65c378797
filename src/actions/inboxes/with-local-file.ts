import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SourceConfig } from '../../config/schema.js';
import { errorsOf } from '../../domain/operator-error.js';
import { openPlace } from '../../inbox/open-place.js';
import { remoteInboxOf } from '../../inbox/remote-inbox.js';
import { withContainerPath, withUnpacked } from '../../staging/open-file.js';
import { makeFolder } from '../../workspace/files/entries.js';
import { temporaryPath } from '../../workspace/files/leftover-files.js';
import type { WorkspacePaths } from '../../workspace/folders.js';

const REMOTE_FILE = /^(?:sftp|s3|https?):\/\//;

/** A file as a command line names it: its path from this folder on, or the address of a file on a server. */
export function fileNamed(name: string, folder: string): string {
  return REMOTE_FILE.test(name) ? name : resolve(folder, name);
}

/**
 * Runs `work` on a file, or on the one file in a container. A file of the source's remote inbox, named by the inbox's place and
 * its own name, as in sftp://files.example.com:22/out/march.csv, is fetched into processing/ meanwhile; its original stays
 * where it is. Throws what `withUnpacked` throws, and RemoteFault.
 */
export async function withLocalFile<T>(
  file: string,
  source: SourceConfig,
  { root, processing }: Pick<WorkspacePaths, 'root' | 'processing'>,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (!REMOTE_FILE.test(file)) return withUnpacked(file, source, { processing }, work);
  const remote = remoteInboxOf(source);
  const refusal = errorsOf('read the file');
  if (remote === null || !file.startsWith(`${remote.place}/`)) {
    const others = remote === null ? '' : ` (${source.name} fetches files from ${remote.place})`;
    const message = `${file} is on a server, and not in the remote inbox of its source`;
    const hint = `Name the source that fetches it with --source${others}, or download the file and name the local one.`;
    throw refusal(file, message, hint);
  }
  const { signal } = new AbortController();
  const place = await openPlace(remote, root, signal);
  const folder = join(processing, source.name);
  const copy = temporaryPath(folder);
  try {
    const name = file.slice(remote.place.length + 1);
    const listed = (await place.list([])).find((entry) => entry.name === name);
    if (listed === undefined) {
      const hint = 'registrar run --dry-run lists the files that are there.';
      throw refusal(file, `${remote.place} has no file ${name}`, hint);
    }
    await makeFolder(folder);
    await pipeline(place.read(listed), createWriteStream(copy, { flags: 'wx', mode: 0o600 }), { signal });
    return await withUnpacked(copy, source, { processing }, work).catch((error) =>
      Promise.reject(withContainerPath(error, copy, file)),
    );
  } finally {
    place.close();
    await rm(copy, { force: true });
  }
}
