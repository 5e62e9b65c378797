import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Config } from '../../config/schema.js';
import { deniedText, isDenied } from '../../domain/process/who-may.js';
import { statOf } from '../../workspace/files/entries.js';
import { errorCode } from '../../workspace/files/io-error.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type Finding, findings } from './finding.js';

const folder = findings('folder', 'io');

const READABLE_BY_OTHERS = 0o077;
const READ_WRITE_BY_OTHERS = 0o066;

/** Whether the folders of the workspace are there and can be used, and are closed to others where no sender needs them. */
export async function* checkFolders(paths: WorkspacePaths, config: Config | null): AsyncGenerator<Finding> {
  // Senders may have to pass through it to their inbox.
  yield await checkFolder(paths.root, 'passed', null);
  for (const path of [paths.processing, paths.archive, paths.rejected]) {
    yield await checkFolder(path, 'closed', null);
  }
  const areOwn = paths.reports.startsWith(paths.root + sep);
  yield await checkFolder(paths.reports, areOwn ? 'closed' : 'outside', null, 'reports.folder');
  const processing = (await statOf(paths.processing))?.dev ?? null;
  for (const source of config?.sources ?? []) {
    const path = paths.inbox(source);
    yield await checkFolder(path, path.startsWith(paths.root + sep) ? 'open' : 'outside', processing);
  }
  for (const [index, { folder }] of (config?.schedule ?? []).entries()) {
    if (folder === undefined) continue;
    yield await checkFolder(resolve(paths.root, folder), 'outside', null, `schedule[${index}].folder`);
  }
}

/**
 * @param kind `closed`: for its owner alone. `passed`: others may pass through it, and see nothing of it. `open`: others
 * write files there. `outside`: and Registrar never creates it.
 * @param processing the file system that files are moved to from here; null: none are.
 * @param setting the setting of registrar.yaml that names an outside folder.
 */
async function checkFolder(
  path: string,
  kind: 'closed' | 'passed' | 'open' | 'outside',
  processing: number | null,
  setting = 'inbox of the source',
): Promise<Finding> {
  try {
    const entry = await stat(path);
    const { mode, dev } = entry;
    if (!entry.isDirectory()) {
      const remedy =
        kind === 'outside' ? `Correct ${setting}.` : 'Move it away; the next run creates the folder.';
      return folder.broken(path, 'is a file, not a folder', remedy);
    }
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const closedTo = { closed: READABLE_BY_OTHERS, passed: READ_WRITE_BY_OTHERS, open: 0, outside: 0 }[kind];
    if ((mode & closedTo) !== 0) {
      const message = 'other users of this machine can read it, and it holds personal data';
      return folder.attention(path, message, `chmod 700 ${path}`);
    }
    const isElsewhere = processing !== null && dev !== processing;
    const how = '; on another file system, so files are copied, compared and then removed';
    return folder.ok(path, `can be used${isElsewhere ? how : ''}`);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' && kind !== 'outside')
      return folder.ok(path, "doesn't exist yet; the next run creates it");
    if (code === 'ENOENT')
      return folder.broken(path, 'is not there', `Mount the disk it is on, or correct ${setting}.`);
    const why = isDenied(error) ? `: permission denied; ${deniedText(path)}` : ` (${code ?? String(error)})`;
    const remedy =
      'Let the user that runs Registrar read, write and enter it. Where its disk is mounted read-only, mount it for writing.';
    return folder.broken(path, `can't be used${why}`, remedy);
  }
}
