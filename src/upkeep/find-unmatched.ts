import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { CONFIG_FILE } from '../config/load-config.js';
import type { Config, SourceConfig } from '../config/schema.js';
import { fileNameMatcher } from '../config/values/glob.js';
import type { UnmatchedFile } from '../documents/common.js';
import { type Clock, isoFromMs } from '../domain/clock.js';
import { grouped } from '../domain/grouped.js';
import { headOf, kindOfFile } from '../intake/kind-of-file.js';
import { errorCode } from '../workspace/files/io-error.js';
import { fromWorkspace, type WorkspacePaths } from '../workspace/folders.js';
import { inspectEntry, isUnfinishedName, reasonOfPrograms } from '../workspace/inbox/list-inbox.js';

/** Uploads of a large file take hours; a file that has not changed for a day is no upload any more. */
const UNFINISHED_MS = 86_400_000;

/** The most files of one inbox that a source takes and whose rights are checked: health is read often. */
const MAX_CHECKED = 500;

export interface InboxSearch {
  readonly paths: WorkspacePaths;
  readonly config: Pick<Config, 'sources'>;
  readonly clock: Clock;
}

/**
 * Finds files that people have put into inboxes and that no source takes, each with what to do. Files that programs leave there
 * are skipped. Reads folders and first bytes alone. An inbox that can't be read is skipped, because a run and `doctor` report it.
 * @param sources those whose inboxes are searched. Where these are all sources, the folder `inbox/` itself is searched too.
 */
export async function findUnmatched(
  search: InboxSearch,
  sources: readonly SourceConfig[] = search.config.sources,
): Promise<UnmatchedFile[]> {
  const { paths, config } = search;
  // A file that one source leaves may be another's.
  const readers = grouped(config.sources, (source) => paths.inbox(source));
  const folders = grouped(sources, (source) => paths.inbox(source));
  const unmatched: UnmatchedFile[] = [];
  for (const [folder, [source]] of folders) {
    unmatched.push(...(await searchInbox(folder, source as SourceConfig, readers.get(folder) ?? [], search)));
  }
  const root = join(paths.root, 'inbox');
  if (sources.length === config.sources.length && !folders.has(root)) {
    unmatched.push(...(await searchRoot(root, search)));
  }
  return unmatched;
}

/** Why an entry isn't imported, and what to do; null where there is no reason to report it. */
type Verdict = Pick<UnmatchedFile, 'code' | 'reason' | 'remedy'> | null;

/** @param readers the sources that read this folder; `source` is the first of them that is searched. */
async function searchInbox(
  folder: string,
  source: SourceConfig,
  readers: readonly SourceConfig[],
  search: InboxSearch,
): Promise<UnmatchedFile[]> {
  const matchers = readers.map(({ match }) => fileNameMatcher(match));
  let checked = 0;
  return judgeAll(folder, source.name, search, async (entry, path) => {
    const isTaken = matchers.some((matches) => matches(entry.name.toString()));
    if (isTaken && entry.isFile()) {
      checked += 1;
      if (checked > MAX_CHECKED) return null;
    }
    const ofKind = await judgeKind(entry, path, search);
    if (ofKind !== 'plain') return ofKind;
    return isTaken ? null : notMatched(path, source);
  });
}

/** Finds files and folders in `inbox/` itself that no source reads. An empty folder may be of a source that was removed. */
function searchRoot(root: string, search: InboxSearch): Promise<UnmatchedFile[]> {
  const isOfPrograms = ({ name }: Dirent<Buffer>) => reasonOfPrograms(name.toString()) !== null;
  const remedy = `Put it, or the files in it, into the inbox of its source: ${inboxesOf(search)}.`;
  return judgeAll(root, null, search, async (entry, path) => {
    if (isOfPrograms(entry) || isOurs(path, search)) return null;
    if (entry.isDirectory() && (await entriesOf(path)).every(isOfPrograms)) return null;
    return { code: 'no-inbox', reason: 'is directly in inbox/, where no source reads it', remedy };
  });
}

async function judgeAll(
  folder: string,
  source: string | null,
  { paths }: InboxSearch,
  judge: (entry: Dirent<Buffer>, path: string) => Promise<Verdict>,
): Promise<UnmatchedFile[]> {
  const unmatched: UnmatchedFile[] = [];
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name.toString());
    const verdict = await judge(entry, path);
    if (verdict !== null) unmatched.push({ source, path: fromWorkspace(path, paths), ...verdict });
  }
  return unmatched;
}

/** Judges an entry by its kind, whatever the sources' patterns. */
async function judgeKind(
  entry: Dirent<Buffer>,
  path: string,
  search: InboxSearch,
): Promise<Verdict | 'plain'> {
  const name = entry.name.toString();
  if (!Buffer.from(name).equals(entry.name)) {
    return { code: 'bad-name', reason: 'has a name that is not UTF-8', remedy: 'Rename it.' };
  }
  if (isUnfinishedName(name)) return oldUpload(path, search.clock);
  if (reasonOfPrograms(name) !== null || isOurs(path, search)) return null;
  const file = await inspectEntry('', name, path);
  if (typeof file !== 'string') return 'plain';
  if (file === 'gone') return null;
  return file === 'unreadable' ? UNREADABLE : NO_FILE;
}

const UNREADABLE: Verdict = {
  code: 'unreadable',
  reason: "can't be read: permission denied",
  remedy: 'Let Registrar’s user read it.',
};

const NO_FILE: Verdict = {
  code: 'no-file',
  reason:
    'is not a plain file: it is a folder, a link, a device, or a file with another name elsewhere (a hard link)',
  remedy: 'Put the files themselves into the inbox, and remove it.',
};

/** True for a path that is or holds a folder or file of the workspace, or an inbox: an inbox may hold all of these. */
function isOurs(path: string, { paths, config }: InboxSearch): boolean {
  const { root, processing, archive, rejected, reports, ledger } = paths;
  if (['', '-wal', '-shm', '-journal'].some((suffix) => path === ledger + suffix)) return true;
  const inboxes = config.sources.map((source) => paths.inbox(source));
  const files = [CONFIG_FILE, 'inbox'].map((name) => join(root, name));
  const own = [...files, processing, archive, rejected, reports, ...inboxes];
  return own.some((one) => one === path || one.startsWith(path + sep));
}

/** Reports an upload that has stopped; null while it may still be going on, or where it is gone. */
async function oldUpload(path: string, clock: Clock): Promise<Verdict> {
  const stat = await unlessFailed(() => lstat(path), null);
  const changedMs = stat === null ? Infinity : Math.max(stat.mtimeMs, stat.ctimeMs);
  if (clock.nowMs() - changedMs < UNFINISHED_MS) return null;
  return {
    code: 'unfinished',
    reason: `has the name of an unfinished file, and has not changed since ${isoFromMs(changedMs).slice(0, 16)}Z`,
    remedy: 'Send it again, or, if it is complete, give it its final name; then remove this one.',
  };
}

async function notMatched(path: string, source: SourceConfig): Promise<Verdict> {
  const kind = await unlessFailed(async () => kindOfFile(await headOf(path)), null);
  if (kind !== null && kind.remedy !== null) {
    return { code: 'not-read', reason: `is ${kind.name}`, remedy: kind.remedy };
  }
  const content = kind === null ? '' : `, though by its content it is ${kind.name}`;
  return {
    code: 'not-matched',
    reason: `has a name that doesn't match source ${source.name} (match: ${source.match})${content}`,
    remedy: 'Rename it to fit, or widen match of the source in registrar.yaml.',
  };
}

const MAX_NAMED = 4;

function inboxesOf({ paths, config }: InboxSearch): string {
  const folders = config.sources.map((source) => `${fromWorkspace(resolve(paths.inbox(source)), paths)}/`);
  return folders.length <= MAX_NAMED
    ? folders.join(' or ')
    : `${folders.slice(0, MAX_NAMED).join(', ')} or another`;
}

/** A folder's entries in the order of their names; [] where the folder can't be read. */
async function entriesOf(folder: string): Promise<Dirent<Buffer>[]> {
  const entries = await unlessFailed(() => readdir(folder, { encoding: 'buffer', withFileTypes: true }), []);
  return entries.sort((a, b) => Buffer.compare(a.name, b.name));
}

/** What `look` returns; `otherwise` where the file system fails. */
async function unlessFailed<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return otherwise;
  }
}
