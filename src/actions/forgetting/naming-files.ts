import { readdir, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Mentions } from '../../domain/text/mentions.js';
import { filesNaming, type NamingFile } from '../../upkeep/search-files.js';
import { syncFolder } from '../../workspace/files/durable.js';
import { ioError } from '../../workspace/files/io-error.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import type { ActionContext } from '../context.js';

/**
 * Files of the workspace that name the person, or may. Ledgers that a restore has replaced are listed unread, because most of
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
  return [...(await filesNaming(folders, mentions)), ...ledgers];
}

const SET_ASIDE = /^registrar-before-(restore|new)-/;

/** Deletes the reports among these files, and returns them. */
export async function deleteReports(
  { reports }: WorkspacePaths,
  files: readonly NamingFile[],
): Promise<readonly string[]> {
  const deleted = files.map(({ path }) => path).filter((path) => path.startsWith(reports + sep));
  for (const path of deleted) {
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw ioError('delete a report', path, error);
    }
  }
  for (const folder of new Set(deleted.map((path) => dirname(path)))) await syncFolder(folder);
  return deleted;
}
