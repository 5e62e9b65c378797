import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import { globMatcher } from '../../config/values/glob.js';
import { isAttentionName } from '../../domain/files/attention-columns.js';
import { REASON_SUFFIX } from '../files/file-name.js';
import { errorCode, ioError } from '../files/io-error.js';
import { type FileMark, markOf, openPlain } from '../files/plain-file.js';
import type { WorkspacePaths } from '../folders.js';

/** A file of an inbox, as it was when it was examined. */
export interface InboxFile extends FileMark {
  readonly source: string;
  readonly name: string;
  readonly path: string;
}

/** Why an entry of an inbox is no file to take; `gone`: another process may have taken it, which is no fault. */
export type NoFile = 'gone' | 'link' | 'folder' | 'no-file' | 'hard-link' | 'unreadable';

/**
 * Lists the files of a source's inbox that it takes (by its `match`, and attention files), oldest first, then by name. Other entries are
 * left alone, and no file stops another. Throws OperatorError when the folder itself can't be read.
 */
export async function listInbox(
  source: Pick<SourceConfig, 'name' | 'inbox' | 'match'>,
  paths: WorkspacePaths,
): Promise<readonly InboxFile[]> {
  const folder = paths.inbox(source);
  const matches = globMatcher(source.match);
  const files: InboxFile[] = [];
  for (const bytes of await entriesOf(folder)) {
    const name = bytes.toString();
    // A name in another encoding would not survive as text.
    if (!Buffer.from(name).equals(bytes) || reasonOfPrograms(name) !== null) continue;
    if (!matches(name) && !isAttentionName(name)) continue;
    const file = await lookAt(source.name, name, join(folder, name));
    if (typeof file !== 'string') files.push(file);
  }
  return files.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
}

/** The state of one entry. */
export async function lookAt(source: string, name: string, path: string): Promise<InboxFile | NoFile> {
  try {
    const stat = await lstat(path);
    if (stat.isSymbolicLink()) return 'link';
    if (stat.isDirectory()) return 'folder';
    const handle = await openPlain(path);
    if (handle === null) return 'no-file';
    await handle.close();
    // The owner of its other name may forbid reading it here, and can change it after it is taken in.
    if (stat.nlink > 1) return 'hard-link';
    return { source, name, path, ...markOf(stat) };
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

/** Names that programs give to what they are still writing, or keep beside a file they have open; not those of the console's uploads. */
const UNFINISHED = /^(?!\.upload-).*\.(part|tmp|crdownload|filepart|lock)$/is;

/**
 * Files that systems put into every folder that a person opens, that editors leave behind, and that archivers on a Mac create.
 */
const OF_PROGRAMS =
  /^(?:thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r|__macosx|@eadir|\$recycle\.bin|system volume information|lost\+found)$|~$/i;

/** True for a name that says that the file is not whole yet. */
export function isUnfinishedName(name: string): boolean {
  return UNFINISHED.test(name);
}

/** Why a name alone shows that a program put the file here, as the end of a sentence; null where it doesn't. */
export function reasonOfPrograms(name: string): string | null {
  if (name.startsWith('~$')) return 'belongs to a document somebody has open';
  if (isUnfinishedName(name)) return 'has the name of an unfinished file';
  if (OF_PROGRAMS.test(name)) return 'was put there by a program';
  if (name.endsWith(REASON_SUFFIX)) return 'says why a file was set aside';
  return name.startsWith('.') ? 'is hidden' : null;
}

/** As bytes, because a name in another encoding would not survive as text. */
async function entriesOf(folder: string): Promise<readonly Buffer[]> {
  try {
    return await readdir(folder, { encoding: 'buffer' });
  } catch (error) {
    throw ioError('read the inbox', folder, error);
  }
}
