import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SourceConfig } from '../config/schema.js';
import { sizeWords } from '../config/values/file-size.js';
import { fileNameMatcher } from '../config/values/glob.js';
import type { DropIdentity } from '../domain/drop.js';
import { errorsOf, OperatorError } from '../domain/operator-error.js';
import { unpack } from '../intake/container/unpack.js';
import type { UnpackRules } from '../intake/container/unpacked-file.js';
import { headOf } from '../intake/kind-of-file.js';
import { openDrop } from '../intake/open-drop.js';
import type { OpenedDrop } from '../intake/opened-drop.js';
import { readBytes } from '../intake/read-bytes.js';
import { surveyBytes } from '../intake/text/encoding/survey-bytes.js';
import { explainFailure, unreadable } from '../intake/unreadable.js';
import { chooseSheet } from '../reading/plan-drop.js';
import { makeFolder } from '../workspace/files/entries.js';
import { temporaryPath } from '../workspace/files/leftover-files.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { reasonOfPrograms } from '../workspace/inbox/list-inbox.js';

/**
 * Opens a file with its source's format settings. A corrected file is opened by its content instead: Registrar wrote
 * it, and any program may have saved it. Throws what `openDrop` throws.
 */
export async function openSourceFile(path: string, source: SourceConfig): Promise<OpenedDrop> {
  requireAllowedSize(path, source);
  const isDeclared = [source.encoding, source.delimiter, source.rowEnd, source.quote].some(
    (key) => key !== undefined,
  );
  return (isDeclared ? await correctionFile(path, source) : null) ?? openDrop(path, source);
}

/** Opens a corrected file by its content; null: it is another file, or can't be read so. */
async function correctionFile(path: string, source: SourceConfig): Promise<OpenedDrop | null> {
  try {
    for await (const bytes of readBytes(path)) {
      // In UTF-16 each of these letters has a zero byte beside it.
      if (!bytes.toString('latin1').replaceAll('\0', '').includes('_drop')) return null;
      break;
    }
    const opened = await openDrop(path, {});
    return (await chooseSheet(opened, source)).kind === 'correction' ? opened : null;
  } catch {
    return null;
  }
}

type SizeRule = Pick<SourceConfig, 'largestFileBytes'>;

/** Throws OperatorError for a file that is larger than its source takes, without reading it. */
export function requireAllowedSize(path: string, source: SizeRule): void {
  const bytes = sizeOf(path);
  if (bytes <= source.largestFileBytes) return;
  throw unreadable(path, 'file-too-large', {
    size: sizeWords(bytes),
    most: sizeWords(source.largestFileBytes),
  });
}

/**
 * The identity of a refused file: its size and hash. For a file that is too large only its first bytes are hashed: the whole
 * would take long, and a sparse file may be larger than the disk.
 */
export async function identityToRefuse(path: string, source: SizeRule): Promise<DropIdentity> {
  const bytes = sizeOf(path);
  if (bytes <= source.largestFileBytes) return (await surveyBytes(path)).identity;
  const hash = createHash('sha256')
    .update(`too large: ${bytes} bytes\n`)
    .update(await headOf(path));
  return { sha256: hash.digest('hex'), bytes };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw explainFailure(path, error);
  }
}

/** Where a container is unpacked to: files for their owner alone, which `remove` deletes. */
export function unpackRoom(source: SourceConfig, folder: string, signal: AbortSignal) {
  const unpacked: string[] = [];
  const rules: UnpackRules = {
    source,
    takes: (name) => reasonOfPrograms(name) === null && fileNameMatcher(source.match)(name),
    async newPath() {
      await makeFolder(folder);
      const target = temporaryPath(folder);
      unpacked.push(target);
      return target;
    },
    signal,
  };
  return {
    rules,
    async remove() {
      for (const file of unpacked) await rm(file, { force: true });
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
      return await work(file.path).catch((error) =>
        Promise.reject(withContainerPath(error, file.path, path)),
      );
    const message = `${path} holds ${others.length + 1} files, and each is imported as a file of its own`;
    throw errorsOf('read the file')(path, message, 'Unpack it, and check one file at a time.');
  } finally {
    await remove();
  }
}

/** An error about an unpacked file, with the path of its container instead: the other is gone by then. */
export function withContainerPath(error: unknown, unpacked: string, container: string): unknown {
  if (!(error instanceof OperatorError)) return error;
  const base = basename(container);
  const named = (text: string) => text.replaceAll(unpacked, container).replaceAll(basename(unpacked), base);
  const [subject, message, hint] = [named(error.subject), named(error.message), named(error.hint)];
  return new OperatorError({ ...error, subject, message, hint, cause: error });
}
