import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import { takesName } from '../config/values/takes-name.js';
import { OperatorError } from '../domain/operator-error.js';
import { unpack } from '../intake/container/unpack.js';
import type { UnpackRules } from '../intake/container/unpacked-file.js';
import { explainFailure } from '../intake/unreadable.js';
import { temporaryPath } from '../workspace/files/left-files.js';
import { makeFolder, type WorkspacePaths } from '../workspace/folders.js';
import { reasonOfPrograms } from '../workspace/inbox/list-inbox.js';

/** Where a container is unpacked to: files for their owner alone, which `remove` deletes. */
export function unpackRoom(source: SourceConfig, folder: string, signal: AbortSignal) {
  const made: string[] = [];
  const takes = takesName(source.match);
  const rules: UnpackRules = {
    source,
    takes: (name) => reasonOfPrograms(name) === null && takes(name),
    async newPath() {
      await makeFolder(folder);
      const target = temporaryPath(folder);
      made.push(target);
      return target;
    },
    signal,
  };
  return {
    rules,
    async remove() {
      for (const file of made) await rm(file, { force: true });
    },
  };
}

/**
 * Runs `work` on the one file in a container, unpacked into processing/ meanwhile; on any other file where it is. Throws
 * OperatorError for a container that holds several files, and what `unpack` throws.
 */
export async function withUnpacked<T>(
  path: string,
  source: SourceConfig,
  { processing }: Pick<WorkspacePaths, 'processing'>,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { rules, remove } = unpackRoom(source, join(processing, source.name), new AbortController().signal);
  try {
    const files = await unpack(path, rules).catch((error) => Promise.reject(explainFailure(path, error)));
    const [file, ...others] = files ?? [];
    if (file === undefined) return await work(path);
    if (others.length === 0)
      return await work(file.path).catch((error) => Promise.reject(ofContainer(error, file.path, path)));
    throw new OperatorError({
      operation: 'read the file',
      subject: path,
      message: `${path} holds ${others.length + 1} files, and each is imported as a file of its own`,
      hint: 'Unpack it, and check one file at a time.',
    });
  } finally {
    await remove();
  }
}

/** An error about an unpacked file, with the path of its container instead: the other is gone by then. */
export function ofContainer(error: unknown, unpacked: string, container: string): unknown {
  if (!(error instanceof OperatorError)) return error;
  const named = (text: string) => text.replaceAll(unpacked, container);
  const { operation, exit } = error;
  const [subject, message, hint] = [named(error.subject), named(error.message), named(error.hint)];
  return new OperatorError({ operation, subject, message, hint, exit, cause: error });
}
