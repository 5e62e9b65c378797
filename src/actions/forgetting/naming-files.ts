import { readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { Mentions } from '../../domain/text/mentions.js';
import { filesNaming, type NamingFile } from '../../upkeep/search-files.js';
import { fromWorkspace, type WorkspacePaths } from '../../workspace/folders.js';
import type { ActionContext } from '../context.js';
import { deleteFiles } from '../purging/archived-files.js';

/**
 * Files that name the person, or may, by their paths in the workspace. Ledgers that a restore has replaced are listed unread, because most of
 * their content is packed.
 */
export async function namingFiles(
  { paths, config }: Pick<ActionContext, 'paths' | 'config'>,
  mentions: Mentions,
): Promise<NamingFile[]> {
  const aside = (await readdir(paths.root)).filter((name) => SET_ASIDE.test(name));
  const inboxes = config.sources.map((source) => paths.inbox(source));
  const folders = [paths.archive, paths.rejected, paths.processing, paths.reports, ...inboxes];
  const ledgers = aside.map((name) => ({ path: join(paths.root, name), isSure: false }));
  const files = [...(await filesNaming(folders, mentions)), ...ledgers];
  return files.map(({ path, isSure }) => ({ path: fromWorkspace(path, paths), isSure }));
}

const SET_ASIDE = /^registrar-before-(restore|new)-/;

/** Deletes the reports among these files, and returns their paths. */
export async function deleteReports(
  { root, reports }: WorkspacePaths,
  files: readonly NamingFile[],
): Promise<readonly string[]> {
  const deleted = files
    .map(({ path }) => path)
    .filter((path) => resolve(root, path).startsWith(reports + sep));
  await deleteFiles(deleted.map((path) => resolve(root, path)));
  return deleted;
}
