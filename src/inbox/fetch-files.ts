import { rm } from 'node:fs/promises';
import type { UnmatchedFile } from '../documents/common.js';
import type { PlannedSource } from '../documents/run.js';
import type { Clock } from '../domain/clock.js';
import type { OperatorError } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { type FetchedFile, fetchedFiles, recordInbox } from '../ledger/drops/record-inbox.js';
import { withLeases } from '../ledger/leases/leases.js';
import type { Owner } from '../ledger/leases/owner.js';
import type { Ledger } from '../ledger/store/query.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { freshFiles, tooLarge, waitUntilComplete } from './listing.js';
import { openPlace } from './open-place.js';
import type { RemoteSource } from './remote-inbox.js';
import { RemoteFault, type RemoteFile, type RemotePlace } from './remote-place.js';
import { placePart, removeOldParts, writePart } from './upload-part.js';

export interface FetchContext {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly owner: Owner;
  /** null: a service polls, without a run. */
  readonly runId: number | null;
  readonly paths: WorkspacePaths;
  /** Ends the import; the next run resumes it. */
  readonly stop: AbortSignal;
}

export interface ImportProblems {
  /** Of sources whose inboxes can't be used, or whose settings changed. None of them stops another. */
  readonly troubles: readonly OperatorError[];
  /** Files that can't be fetched, settled or imported, and changes by other programs in processing/ and archive/. */
  readonly unmatched: readonly UnmatchedFile[];
}

const NOTHING: ImportProblems = { troubles: [], unmatched: [] };

/**
 * Fetches the new complete files of a remote inbox, and settles the originals of those whose rows count by now. A
 * file appears whole, and a crash leaves it to the next poll: at worst it is fetched twice, and the same bytes count
 * once. Where another process is fetching for this source, it does nothing.
 */
export async function fetchFiles(context: FetchContext, remote: RemoteSource): Promise<ImportProblems> {
  return withPlace(context, remote, async (session) => {
    const fetched = await fetchedFiles(context.ledger, remote.source.name, remote.place);
    const files = await session.place.list(fetched);
    // What can't be settled is named at the end of a run, which tries it again.
    await settleListed({ ...session, unmatched: [] }, files, fetched);
    const listing = freshFiles(remote, files, fetched);
    const complete = await waitUntilComplete(remote, listing, session.place, context.clock, session.stop);
    // What a process that died has left.
    if (complete.length > 0) await removeOldParts(context.paths.inbox(remote.source), context.clock.nowMs());
    const pending = new Map(listing.fresh.map((file) => [file.name, file]));
    for (const file of complete) {
      if (session.stop.aborted) break;
      if (await fetchFile(session, file, fetched)) pending.delete(file.name);
    }
    session.unmatched.push(...listing.unmatched);
    return [...pending.values()];
  });
}

/** Does nothing where none is to be settled. */
export async function settleFiles(context: FetchContext, remote: RemoteSource): Promise<ImportProblems> {
  const { ledger } = context;
  const { source, place } = remote;
  if (remote.originals === 'leave') return NOTHING;
  const fetched = await fetchedFiles(ledger, source.name, place);
  if (!fetched.some(({ isPublished }) => isPublished)) return NOTHING;
  return withPlace(context, remote, async (session) => {
    // Another process may have settled some before this one had the lease.
    await settleListed(session, await session.place.list([]), await fetchedFiles(ledger, source.name, place));
    return null;
  });
}

/** The files that a poll would fetch, where they are complete; fetches none. Throws RemoteFault. @param ledger null: there is none yet. */
export async function filesToFetch(
  ledger: Ledger | null,
  remote: RemoteSource,
  root: string,
): Promise<PlannedSource['remote']> {
  const fetched = ledger === null ? [] : await fetchedFiles(ledger, remote.source.name, remote.place);
  const place = await openPlace(remote, root, new AbortController().signal);
  try {
    const { fresh } = freshFiles(remote, await place.list(fetched), fetched);
    return fresh.map(({ name, sizeBytes }) => ({ file: name, bytes: sizeBytes }));
  } finally {
    place.close();
  }
}

interface FetchSession extends FetchContext {
  readonly remote: RemoteSource;
  readonly place: RemotePlace;
  readonly unmatched: UnmatchedFile[];
}

/** @param work returns the files that it left there; null: it listed none. */
async function withPlace(
  context: FetchContext,
  remote: RemoteSource,
  work: (session: FetchSession) => Promise<readonly RemoteFile[] | null>,
): Promise<ImportProblems> {
  const { ledger, owner, runId, paths } = context;
  const { name } = remote.source;
  const polled = await withLeases(ledger, [`fetch:${name}`], owner, runId, async ({ lost }) => {
    const stop = AbortSignal.any([context.stop, lost]);
    const unmatched: UnmatchedFile[] = [];
    let place: RemotePlace | null = null;
    try {
      place = await openPlace(remote, paths.root, stop);
      const waiting = await work({ ...context, stop, remote, place, unmatched });
      const oldestAt = waiting?.map(({ modifiedAt }) => modifiedAt).sort()[0] ?? null;
      if (waiting !== null)
        await recordInbox(ledger, name, { kind: 'polled', isAway: false, waiting: waiting.length, oldestAt });
      return { troubles: [], unmatched };
    } catch (error) {
      // A connection that was closed because the work is to end is no outage.
      if (stop.aborted) return NOTHING;
      if (!(error instanceof RemoteFault)) throw error;
      const { message, hint: remedy } = error;
      await recordInbox(ledger, name, { kind: 'polled', isAway: true, message, remedy });
      return { troubles: [error], unmatched };
    } finally {
      place?.close();
    }
  });
  return 'done' in polled ? polled.done : NOTHING;
}

/** @returns false where the file stays for the next look. */
async function fetchFile(
  session: FetchSession,
  file: RemoteFile,
  fetched: readonly FetchedFile[],
): Promise<boolean> {
  const { ledger, paths, stop, place, remote } = session;
  const inbox = paths.inbox(remote.source);
  try {
    const part = await writePart(inbox, file.name, place.read(file), stop);
    const now = await place.stat(file.name);
    const isWhole = part.bytes === (file.sizeBytes ?? part.bytes) && now?.version === file.version;
    if (!isWhole || part.bytes > remote.source.largestFileBytes) {
      await rm(part.path, { force: true });
      if (isWhole) session.unmatched.push(tooLarge(remote, file.name));
      return false;
    }
    const version = file.version ?? `sha256 ${part.sha256}`;
    if (file.version === null && fetched.some((one) => one.name === file.name && one.version === version)) {
      await rm(part.path, { force: true });
      return true;
    }
    failpoint('remote-downloaded');
    if ((await placePart(part, inbox, file.name)) === null) return false;
    failpoint('remote-placed');
    await recordInbox(ledger, remote.source.name, {
      kind: 'fetched',
      file: { place: remote.place, name: file.name, version },
      sha256: part.sha256,
    });
    failpoint('remote-recorded');
    return true;
  } catch (error) {
    return leaveFile(error, session, file);
  }
}

async function settleListed(
  session: FetchSession,
  files: readonly RemoteFile[],
  fetched: readonly FetchedFile[],
): Promise<void> {
  const { ledger, remote, stop } = session;
  const { source } = remote;
  if (remote.originals === 'leave') return;
  const listed = new Map(files.map((file) => [file.name, file]));
  for (const { name, version, isPublished } of fetched) {
    if (stop.aborted) return;
    if (!isPublished) continue;
    const file = listed.get(name);
    try {
      // Another version of the name is another file, and one that is gone was settled before a crash, or by its sender. A listing
      // may be minutes old by now: the sender may have replaced the file since.
      if (file?.version === version && (await session.place.stat(name))?.version === version) {
        await settleOriginal(session, name, listed);
      }
      failpoint('remote-settled');
      await recordInbox(ledger, source.name, {
        kind: 'settled',
        file: { place: remote.place, name, version },
      });
    } catch (error) {
      leaveFile(error, session, { name });
    }
  }
}

async function settleOriginal(
  { place, remote: { originals, doneMarker } }: FetchSession,
  name: string,
  listed: ReadonlyMap<string, RemoteFile>,
): Promise<void> {
  const { folder } = place;
  if (folder === null) return;
  await (originals === 'archive' ? folder.archive(name) : folder.remove(name));
  const marker = `${name}${doneMarker}`;
  if (doneMarker !== undefined && listed.has(marker)) await folder.remove(marker);
}

/** A fault of one file stops no other. */
function leaveFile(
  error: unknown,
  { remote, unmatched }: FetchSession,
  { name }: Pick<RemoteFile, 'name'>,
): false {
  if (!(error instanceof RemoteFault) || error.about !== 'file') throw error;
  unmatched.push({
    source: remote.source.name,
    path: `${remote.place}/${name}`,
    code: 'unreadable',
    reason: `is left on the server: ${error.message}`,
    remedy: error.hint,
  });
  return false;
}
