import { lstatSync } from 'node:fs';
import { readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import { fileNameMatcher } from '../../config/values/glob.js';
import type { Clock } from '../../domain/clock.js';
import { isResultName } from '../../domain/files/result.js';
import { type FileMark, isReadable, isUntouched, markOf } from '../files/entries.js';
import { REASON_SUFFIX } from '../files/file-name.js';
import { asIoError, errorCode } from '../files/io-error.js';
import type { WorkspacePaths } from '../folders.js';

export interface InboxFile extends FileMark {
  readonly source: string;
  readonly name: string;
  readonly path: string;
}

/**
 * Why an entry of an inbox is no file to import. `gone`: another process may have claimed it, which is no fault. `no-file`: it
 * is no plain file, or has another name elsewhere.
 */
type NoFile = 'gone' | 'no-file' | 'unreadable';

/**
 * Lists the files of a source's inbox that it imports (by its `match`, and attention files), oldest first, then by name. Other
 * entries are left alone, and no file stops another. Throws OperatorError when the folder itself can't be read.
 */
export async function listInbox(
  source: Pick<SourceConfig, 'name' | 'inbox' | 'match'>,
  paths: WorkspacePaths,
): Promise<readonly InboxFile[]> {
  const folder = paths.inbox(source);
  const matches = fileNameMatcher(source.match);
  const files: InboxFile[] = [];
  const names = readdir(folder, { encoding: 'buffer' }).catch(asIoError('read the inbox', folder));
  for (const bytes of await names) {
    const name = bytes.toString();
    // A name in another encoding would not survive as text.
    if (!Buffer.from(name).equals(bytes) || reasonOfPrograms(name) !== null) continue;
    if (!matches(name)) continue;
    const file = await inspectEntry(source.name, name, join(folder, name));
    if (typeof file !== 'string') files.push(file);
  }
  return files.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
}

export async function inspectEntry(source: string, name: string, path: string): Promise<InboxFile | NoFile> {
  try {
    const stat = lstatSync(path);
    // The owner of its other name may forbid reading it here, and can change it after it is imported.
    if (!isReadable(path, stat) || stat.nlink > 1) return 'no-file';
    return { source, name, path, ...markOf(stat) };
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

/** Names that programs give to what they are still writing, or keep beside a file they have open; not those of the console's uploads. */
const UNFINISHED = /^(?!\.upload-).*\.(part|tmp|crdownload|filepart|lock)$/is;

/** Files that systems put into every folder that a person opens, that editors leave behind, and that archivers on a Mac create. */
const OF_PROGRAMS =
  /^(?:thumbs\.db|ehthumbs\.db|desktop\.ini|icon\r|__macosx|@eadir|\$recycle\.bin|system volume information|lost\+found)$|~$/i;

/** True for a name that says that the file is not whole yet. */
export function isUnfinishedName(name: string): boolean {
  return UNFINISHED.test(name);
}

/** Why a name alone shows that a program put the file here, as the end of a sentence; null where it doesn't. */
export function reasonOfPrograms(name: string): string | null {
  if (name.startsWith('~$')) return 'belongs to an open document';
  if (isUnfinishedName(name)) return 'has the name of an unfinished file';
  if (OF_PROGRAMS.test(name)) return 'was put there by a program';
  if (name.endsWith(REASON_SUFFIX)) return 'says why a file was refused';
  if (isResultName(name)) return 'is the result of another one';
  return name.startsWith('.') ? 'is hidden' : null;
}

/**
 * The complete ones of these files, in the order given, as last seen: a file is stable when size, times and inode stay the same for
 * `stableForMs`. A file last touched longer ago is stable at once; for the others, and those with a future time by this clock, it
 * waits once, for all together. Files that are still being written are left for the next run.
 * @param signal ends the wait; unsettled files are then left for the next run.
 */
export async function waitUntilStable(
  files: readonly InboxFile[],
  stableForMs: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<readonly InboxFile[]> {
  const nowMs = clock.nowMs();
  const remainingMs = new Map(files.map((file) => [file, restsForMs(file, stableForMs, nowMs)]));
  const waitMs = Math.max(0, ...remainingMs.values());
  if (waitMs === 0) return files;

  await clock.sleep(waitMs, signal);
  const stable: InboxFile[] = [];
  for (const file of files) {
    if (remainingMs.get(file) !== 0) {
      const now = signal?.aborted ? 'gone' : await inspectEntry(file.source, file.name, file.path);
      if (typeof now === 'string' || !isUntouched(file, now)) continue;
    }
    stable.push(file);
  }
  return stable;
}

/** How long a file still has to rest: 0 where it has rested long enough; the whole time for one with a future time by this clock. */
export function restsForMs(file: InboxFile, stableForMs: number, nowMs: number): number {
  const ageMs = nowMs - Math.max(file.mtimeMs, file.ctimeMs);
  if (ageMs >= stableForMs) return 0;
  return Math.ceil(stableForMs - Math.max(0, ageMs));
}

/**
 * What file system a folder is on: its type, and whether it is mounted there. It is the same after a restart and a new mount. null
 * where the folder can't be looked at.
 */
export async function fileSystemOf(folder: string): Promise<string | null> {
  try {
    const { type } = await statfs(folder);
    const isMount = (await stat(folder)).dev !== (await stat(dirname(folder))).dev;
    return `${type.toString(16)}${isMount ? ', mounted' : ''}`;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}
