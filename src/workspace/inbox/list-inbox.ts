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

/** Something in an inbox that is not taken. */
export interface LeftFile {
  readonly name: string;
  /** Plain words: "is a folder". */
  readonly reason: string;
  /** True when a person must act so that the file is taken; false where it is left on purpose. */
  readonly needsAttention: boolean;
}

export interface InboxListing {
  /** Oldest first, then by name. */
  readonly take: readonly InboxFile[];
  /** By name. */
  readonly left: readonly LeftFile[];
}

/**
 * Lists a source's inbox: the files to take (those that its `match` takes, and attention files), and the
 * entries that are left alone, with the reason. No file stops another. Throws OperatorError when the folder itself can't be read.
 */
export async function listInbox(
  source: Pick<SourceConfig, 'name' | 'inbox' | 'match'>,
  paths: WorkspacePaths,
): Promise<InboxListing> {
  const folder = paths.inbox(source);
  const matches = globMatcher(source.match);
  const take: InboxFile[] = [];
  const left: LeftFile[] = [];
  for (const bytes of await entriesOf(folder)) {
    const name = bytes.toString();
    const reason =
      nameReason(name, bytes) ??
      (matches(name) || isAttentionName(name) ? null : leave(`does not match ${source.match}`));
    const looked = reason ?? (await lookAt(source.name, name, join(folder, name)));
    if (looked === 'gone') continue;
    if ('reason' in looked) left.push({ name, ...looked });
    else take.push(looked);
  }
  take.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
  left.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { take, left };
}

/** The state of one file; 'gone' when there is none, which is no fault: another process may have taken it. */
export async function lookAt(
  source: string,
  name: string,
  path: string,
): Promise<InboxFile | Omit<LeftFile, 'name'> | 'gone'> {
  try {
    const stat = await lstat(path);
    if (stat.isSymbolicLink()) return attention('is a link; put the file itself here');
    if (stat.isDirectory()) return leave('is a folder');
    if (!stat.isFile()) return leave('is not a file');
    const handle = await openPlain(path);
    if (handle === null) return leave('is not a file');
    await handle.close();
    // The owner of its other name may forbid reading it here, and can change it after it is taken in.
    if (stat.nlink > 1) return attention('has another name elsewhere (a hard link); put a copy here');
    return { source, name, path, ...markOf(stat) };
  } catch (error) {
    const code = errorCode(error);
    if (code === null) throw error;
    if (code === 'ENOENT') return 'gone';
    return attention(
      code === 'EACCES' || code === 'EPERM'
        ? 'cannot be read: permission denied; let the user that runs Registrar read it'
        : `cannot be read (${code})`,
    );
  }
}

type Reason = Omit<LeftFile, 'name'>;

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

function nameReason(name: string, bytes: Buffer): Reason | null {
  if (!Buffer.from(name).equals(bytes)) return attention('has a name that is not UTF-8; rename it');
  const reason = reasonOfPrograms(name);
  return reason === null ? null : leave(reason);
}

function leave(reason: string): Reason {
  return { reason, needsAttention: false };
}

function attention(reason: string): Reason {
  return { reason, needsAttention: true };
}

/** As bytes, because a name in another encoding would not survive as text. */
async function entriesOf(folder: string): Promise<readonly Buffer[]> {
  try {
    return await readdir(folder, { encoding: 'buffer' });
  } catch (error) {
    throw ioError('read the inbox', folder, error);
  }
}
