import { mkdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { inboxFolder } from '../config/inbox-folder.js';
import type { SourceConfig } from '../config/schema.js';
import { ioError } from './io-error.js';

/** Where everything of a workspace is; all absolute. */
export interface WorkspacePaths {
  readonly root: string;
  /** The folder a source's files arrive in; perhaps outside the workspace and on another file system. */
  inbox(source: Pick<SourceConfig, 'name' | 'inbox'>): string;
  /** Drops that were claimed and are not yet put away, in a folder for each source. */
  readonly processing: string;
  /** Drops that were taken in, in a folder for each source. */
  readonly archive: string;
  /** Drops that could not be taken in, with the reason beside them, in a folder for each source. */
  readonly rejected: string;
  readonly reports: string;
  /** The ledger's database file. */
  readonly ledger: string;
}

/** For us alone: drops, ledger and reports hold personal data. */
const FOLDER_MODE = 0o700;

/** The paths of a workspace; touches nothing. */
export function workspacePaths(folder: string): WorkspacePaths {
  const root = resolve(folder);
  return {
    root,
    inbox: (source) => inboxFolder(root, source),
    processing: join(root, 'processing'),
    archive: join(root, 'archive'),
    rejected: join(root, 'rejected'),
    reports: join(root, 'reports'),
    ledger: join(root, 'registrar.db'),
  };
}

/**
 * Creates what is missing of a workspace's folders, for their owner alone, and leaves those that exist as they are.
 * An inbox outside the workspace is never created: where it is missing, a disk is probably not mounted, and files
 * would land below the mount. Throws OperatorError when a folder can't be created.
 */
export async function openWorkspace(
  folder: string,
  config: { readonly sources: readonly Pick<SourceConfig, 'name' | 'inbox'>[] },
): Promise<WorkspacePaths> {
  const paths = workspacePaths(folder);
  const inboxes = config.sources.map((source) => paths.inbox(source));
  const own = inboxes.filter((inbox) => inbox.startsWith(paths.root + sep));
  for (const path of [paths.root, ...own, paths.processing, paths.archive, paths.rejected, paths.reports]) {
    await makeFolder(path);
  }
  return paths;
}

/** Creates a folder, and those above it, for its owner alone; one that exists is left as it is. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    throw ioError('create a folder of the workspace', path, error);
  }
}
