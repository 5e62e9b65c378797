import type { Dirent } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { didYouMean } from '../config/did-you-mean.js';
import { CONFIG_FILE } from '../config/load-config.js';
import type { SourceConfig } from '../config/schema.js';
import { fileNameMatcher } from '../config/values/file-name-matcher.js';
import { globMatcher } from '../config/values/glob.js';
import type { UnmatchedFile } from '../documents/common.js';
import { type Clock, isoFromMs } from '../domain/clock.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import { fromWorkspace, type WorkspacePaths } from '../workspace/folders.js';
import { isUnfinishedName, lookAt, type NoFile, reasonOfPrograms } from '../workspace/inbox/list-inbox.js';
import { changedAt, entriesOf, kindAt, type Place, shown } from './look-at-entries.js';

/** Uploads of a large file take hours; a file that has not changed for a day is no upload any more. */
const UNFINISHED_MS = 86_400_000;

/** The most files of one inbox that a source takes and whose rights are checked: health is read often. */
const MAX_CHECKED = 500;

/** What the search for unmatched files needs. */
export interface InboxSearch {
  readonly paths: WorkspacePaths;
  /** All sources: a file that one of them leaves may be another's. */
  readonly allSources: readonly SourceConfig[];
  /** The sources whose inboxes are searched. Where these are all sources, the folder `inbox/` itself is searched too. */
  readonly sources: readonly SourceConfig[];
  readonly clock: Clock;
}

/**
 * Finds files that people have put into inboxes and that no source takes, each with what to do. Files that programs leave
 * there are skipped. Reads folders and first bytes alone. An inbox that can't be read is skipped, because a run and
 * `doctor` report it.
 */
export async function findUnmatched(search: InboxSearch): Promise<UnmatchedFile[]> {
  const unmatched: UnmatchedFile[] = [];
  const folders = new Map<string, SourceConfig>();
  for (const source of search.sources) {
    const folder = search.paths.inbox(source);
    if (!folders.has(folder)) folders.set(folder, source);
  }
  for (const [folder, source] of folders) {
    const readers = search.allSources.filter((other) => search.paths.inbox(other) === folder);
    unmatched.push(...(await searchInbox(folder, source, readers, search)));
  }
  const root = join(search.paths.root, 'inbox');
  if (search.sources.length === search.allSources.length && !folders.has(root)) {
    unmatched.push(...(await searchRoot(root, search)));
  }
  return unmatched;
}

/** The same in the inboxes of all sources. */
export function findAllUnmatched({
  config,
  paths,
  clock,
}: Pick<InboxSearch, 'paths' | 'clock'> & {
  readonly config: { readonly sources: readonly SourceConfig[] };
}): Promise<UnmatchedFile[]> {
  return findUnmatched({ paths, clock, sources: config.sources, allSources: config.sources });
}

/** @param readers the sources that read this folder; `source` is the first of them. */
async function searchInbox(
  folder: string,
  source: SourceConfig,
  readers: readonly SourceConfig[],
  search: InboxSearch,
): Promise<UnmatchedFile[]> {
  const matchers = readers.map(({ match }) => fileNameMatcher(match));
  const unmatched: UnmatchedFile[] = [];
  let checked = 0;
  for (const entry of await entriesOf(folder)) {
    const name = entry.name.toString();
    const isTaken = matchers.some((matches) => matches(name));
    if (isTaken && entry.isFile()) {
      checked += 1;
      if (checked > MAX_CHECKED) continue;
    }
    const place = placeOf(folder, name, source.name, search);
    const ofKind = await unmatchedByKind(entry, place, search);
    if (ofKind !== null) unmatched.push(...ofKind);
    else if (!isTaken) unmatched.push(await notMatched(name, place, source, search));
  }
  return unmatched;
}

/** Finds files in `inbox/` itself, which no source reads. */
async function searchRoot(root: string, search: InboxSearch): Promise<UnmatchedFile[]> {
  const unmatched: UnmatchedFile[] = [];
  for (const entry of await entriesOf(root)) {
    const name = entry.name.toString();
    const place = placeOf(root, name, null, search);
    if (entry.isDirectory()) {
      if (reasonOfPrograms(name) !== null || isOurs(place.absolute, search)) continue;
      const stray = await strayFolder(name, place, search);
      if (stray !== null) unmatched.push(stray);
      continue;
    }
    const ofKind = await unmatchedByKind(entry, place, search);
    if (ofKind !== null) {
      unmatched.push(...ofKind);
      continue;
    }
    const kind = await kindAt(place.absolute);
    const what = kind === null ? 'is' : `is ${kind.name}`;
    unmatched.push({
      ...shown(place),
      code: 'no-inbox',
      reason: `${what} directly in inbox/, which no source reads`,
      remedy:
        `${kind?.remedy ?? ''} Put it into the inbox of its source: ${inboxesFor(name, search)}.`.trim(),
    });
  }
  return unmatched;
}

function placeOf(folder: string, name: string, source: string | null, { paths }: InboxSearch): Place {
  const absolute = join(folder, name);
  return { source, absolute, path: fromWorkspace(absolute, paths) };
}

/** Judges an entry by its kind, whatever the sources' patterns; [] where it is passed over, null for a plain file. */
async function unmatchedByKind(
  entry: Dirent<Buffer>,
  place: Place,
  search: InboxSearch,
): Promise<readonly UnmatchedFile[] | null> {
  const name = entry.name.toString();
  if (!Buffer.from(name).equals(entry.name)) {
    return [
      { ...shown(place), code: 'bad-name', reason: 'has a name that is not UTF-8', remedy: 'Rename it.' },
    ];
  }
  if (isUnfinishedName(name)) return oldUpload(place, search.clock);
  if (reasonOfPrograms(name) !== null || isOurs(place.absolute, search)) return [];
  const file = await lookAt(place.source ?? '', name, place.absolute);
  if (typeof file !== 'string') return null;
  return file === 'gone' ? [] : [{ ...shown(place), code: file, ...NO_FILES[file] }];
}

/** Why an entry is no file to take, and what to do. */
const NO_FILES: Readonly<Record<Exclude<NoFile, 'gone'>, Pick<UnmatchedFile, 'reason' | 'remedy'>>> = {
  link: { reason: 'is a link', remedy: 'Put the file itself here.' },
  folder: { reason: 'is a folder', remedy: 'Move the files in it up into the inbox, and remove it.' },
  'no-file': { reason: 'is a pipe, a socket or a device', remedy: 'Remove it, and put a file here.' },
  'hard-link': { reason: 'has another name elsewhere (a hard link)', remedy: 'Put a copy here.' },
  unreadable: {
    reason: "can't be read: permission denied",
    remedy: 'Let the user that runs Registrar read it.',
  },
};

/** True for a path that is or holds a folder or file of the workspace, or an inbox: an inbox may hold all of these. */
function isOurs(path: string, { paths, allSources }: InboxSearch): boolean {
  const { root, processing, archive, rejected, reports, ledger } = paths;
  if (['', '-wal', '-shm', '-journal'].some((suffix) => path === ledger + suffix)) return true;
  const inboxes = allSources.map((source) => paths.inbox(source));
  return [
    join(root, CONFIG_FILE),
    join(root, 'inbox'),
    processing,
    archive,
    rejected,
    reports,
    ...inboxes,
  ].some((own) => own === path || own.startsWith(path + sep));
}

/** Reports an upload that has stopped; [] while it may still be going on. */
async function oldUpload(place: Place, clock: Clock): Promise<readonly UnmatchedFile[]> {
  const changedMs = await changedAt(place.absolute);
  if (changedMs === null || clock.nowMs() - changedMs < UNFINISHED_MS) return [];
  const reason = `has the name of an unfinished file, and has not changed since ${isoFromMs(changedMs).slice(0, 16)}Z`;
  const remedy = 'Send it again, or, where it is whole, give it its proper name; then remove this one.';
  return [{ ...shown(place), code: 'unfinished', reason, remedy }];
}

async function notMatched(
  name: string,
  place: Place,
  source: SourceConfig,
  search: InboxSearch,
): Promise<UnmatchedFile> {
  const kind = await kindAt(place.absolute);
  if (kind !== null && kind.remedy !== null) {
    return { ...shown(place), code: 'not-read', reason: `is ${kind.name}`, remedy: kind.remedy };
  }
  const content = kind === null ? '' : `, though by its content it is ${kind.name}`;
  const others = search.allSources.filter(
    (other) => other !== source && globMatcher(other.match)(name) && !globMatcher(source.match)(name),
  );
  const belongs = others[0];
  const elsewhere =
    belongs !== undefined && others.length === 1
      ? ` Source ${belongs.name} matches such names: to import the file from there, move it into ${folderOf(belongs, search)}.`
      : '';
  return {
    ...shown(place),
    code: 'not-matched',
    reason: `has a name that source ${source.name} does not take (match: ${source.match})${content}`,
    remedy: `Rename it to fit, or widen match of the source in registrar.yaml.${elsewhere}`,
  };
}

/**
 * Reports a folder in `inbox/` that is no source's inbox; null while it is empty, because a source may have been removed.
 */
async function strayFolder(name: string, place: Place, search: InboxSearch): Promise<UnmatchedFile | null> {
  const inside = (await entriesOf(place.absolute)).filter(
    (entry) => reasonOfPrograms(entry.name.toString()) === null,
  );
  if (inside.length === 0) return null;
  const held = `holds ${countOf(inside.length, 'file')}`;
  const move = `Move ${agreeing(inside.length, 'it', 'them')}`;
  const moved = search.allSources.find((source) => source.name === name);
  if (moved !== undefined) {
    return {
      ...shown(place),
      code: 'no-inbox',
      reason: `${held}, and source ${name} reads another folder`,
      remedy: `${move} into ${folderOf(moved, search)}.`,
    };
  }
  const names = search.allSources.map((source) => source.name);
  const meant = didYouMean(name, names);
  const target = search.allSources.find((source) => source.name === meant);
  return {
    ...shown(place),
    code: 'no-inbox',
    reason: `${held}, and no source of registrar.yaml reads it`,
    remedy:
      target === undefined
        ? `${move} into the inbox of ${agreeing(inside.length, 'its', 'their')} source: ${listed(search.allSources.map((source) => folderOf(source, search)))}.`
        : `Did you mean ${folderOf(target, search)}? ${move} there.`,
  };
}

/** The inboxes that take a file of this name; all inboxes where none does. */
function inboxesFor(name: string, search: InboxSearch): string {
  const fitting = search.allSources.filter(({ match }) => globMatcher(match)(name));
  const meant = fitting.length > 0 ? fitting : search.allSources;
  return listed(meant.map((source) => folderOf(source, search)));
}

/** The most inboxes in a sentence. */
const MAX_NAMED = 4;

function listed(names: readonly string[]): string {
  return names.length <= MAX_NAMED
    ? names.join(' or ')
    : `${names.slice(0, MAX_NAMED).join(', ')} or another`;
}

function folderOf(source: SourceConfig, { paths }: InboxSearch): string {
  return `${fromWorkspace(resolve(paths.inbox(source)), paths)}/`;
}
