import { stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Config, SourceConfig } from '../config/schema.js';
import { inboxFolder } from '../config/values/inbox-folder.js';
import { makeFolder } from './files/entries.js';
import { asIoError } from './files/io-error.js';

/** The paths of a workspace; all absolute. */
export interface WorkspacePaths {
  readonly root: string;
  /** The folder a source's files arrive in; perhaps outside the workspace and on another file system. */
  inbox(source: Pick<SourceConfig, 'name' | 'inbox'>): string;
  /** Drops that were claimed and are not yet archived or refused, in a folder for each source. */
  readonly processing: string;
  /** Imported drops, in a folder for each source. */
  readonly archive: string;
  /** Refused drops, with the reason beside them, in a folder for each source. */
  readonly rejected: string;
  readonly reports: string;
  /** The ledger's database file. */
  readonly ledger: string;
  /** The PostgreSQL database that is the ledger instead, and the workspace's name in it; null: the ledger is that file. */
  readonly database: { readonly url: string; readonly workspace: string } | null;
}

type WorkspacePart = Partial<Pick<Config, 'reports' | 'ledger' | 'workspace'>>;

/** The paths of a workspace; touches nothing. Without a configuration the folder of reports is the default one. */
export function workspacePaths(folder: string, config?: WorkspacePart): WorkspacePaths {
  const root = resolve(folder);
  const { ledger, workspace = '' } = config ?? {};
  return {
    root,
    inbox: (source) => inboxFolder(root, source),
    processing: join(root, 'processing'),
    archive: join(root, 'archive'),
    rejected: join(root, 'rejected'),
    reports: resolve(root, config?.reports?.folder ?? 'reports'),
    ledger: join(root, 'registrar.db'),
    database: ledger === undefined ? null : { url: ledger, workspace },
  };
}

/** A path as people read it: relative to the workspace; absolute where it is elsewhere. */
export function fromWorkspace(path: string, { root }: Pick<WorkspacePaths, 'root'>): string {
  return path.startsWith(root + sep) ? relative(root, path) : path;
}

/**
 * Creates the missing folders of a workspace, for their owner alone, and leaves existing ones unchanged. An inbox outside the
 * workspace, or a folder of reports, is never created: where it is missing, a disk is probably not mounted, and files would land
 * below the mount. Throws OperatorError when a folder can't be created.
 */
export async function openWorkspace(
  folder: string,
  config: WorkspacePart & { readonly sources: readonly Pick<SourceConfig, 'name' | 'inbox'>[] },
): Promise<WorkspacePaths> {
  const paths = workspacePaths(folder, config);
  for (const path of [paths.root, paths.processing, paths.archive, paths.rejected]) await makeFolder(path);
  for (const source of config.sources) {
    const path = paths.inbox(source);
    if (path.startsWith(paths.root + sep)) await makeFolder(path);
  }
  if (paths.reports.startsWith(paths.root + sep)) await makeFolder(paths.reports);
  // Where it is missing, a disk isn't mounted.
  else await stat(paths.reports).catch(asIoError('find the folder of the reports', paths.reports));
  return paths;
}
