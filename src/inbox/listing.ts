import { sizeWords } from '../config/values/file-size.js';
import { fileNameMatcher } from '../config/values/glob.js';
import type { UnmatchedFile } from '../documents/common.js';
import type { Clock } from '../domain/clock.js';
import { visibleText } from '../domain/text/visible-text.js';
import type { FetchedFile } from '../ledger/drops/record-inbox.js';
import { fileNameMistake } from '../workspace/inbox/file-name-mistake.js';
import type { RemoteSource } from './remote-inbox.js';
import type { RemoteFile, RemotePlace } from './remote-place.js';

/** While a file is being uploaded, its name is part of another one. */
const LONGEST_BYTES = 190;

/**
 * `unmatched`: files that can't be fetched as they are. Other names are passed over: a server's folder may hold others' files.
 */
export function freshFiles(
  remote: RemoteSource,
  files: readonly RemoteFile[],
  earlier: readonly FetchedFile[],
) {
  const { source, doneMarker } = remote;
  const fetched = new Set(earlier.map(({ name, version }) => `${name}/${version}`));
  const isMarker = ({ name }: RemoteFile) => doneMarker !== undefined && name.endsWith(doneMarker);
  const matches = fileNameMatcher(source.match);
  const candidates = files.filter(
    (file) => matches(file.name) && !isMarker(file) && !fetched.has(`${file.name}/${file.version}`),
  );
  const fresh: RemoteFile[] = [];
  const unmatched: UnmatchedFile[] = [];
  for (const file of candidates) {
    const obstacle = obstacleTo(file, remote);
    if (obstacle === null) fresh.push(file);
    else
      unmatched.push({ source: source.name, path: `${remote.place}/${visibleText(file.name)}`, ...obstacle });
  }
  return { fresh, markers: new Set(files.filter(isMarker).map(({ name }) => name)), unmatched };
}

function obstacleTo(
  { name, sizeBytes }: RemoteFile,
  { source }: RemoteSource,
): Pick<UnmatchedFile, 'code' | 'reason' | 'remedy'> | null {
  const remedy = 'Have the sender give it another name.';
  const bytes = Buffer.byteLength(name);
  // What a server writes in another encoding arrives with this sign, and can't be requested by it.
  if (name.includes('\u{fffd}')) return { code: 'bad-name', reason: 'has a name that is not UTF-8', remedy };
  if (bytes > LONGEST_BYTES) {
    const reason = `can't be fetched: the name has ${bytes} bytes; ${LONGEST_BYTES} are the most`;
    return { code: 'bad-name', reason, remedy };
  }
  const mistake = fileNameMistake(name, source);
  if (mistake !== null) return { code: 'bad-name', reason: `can't be fetched: ${mistake}`, remedy };
  return sizeBytes === null || sizeBytes <= source.largestFileBytes ? null : obstacleOfSize(source);
}

function obstacleOfSize({ largestFileBytes }: RemoteSource['source']) {
  return {
    code: 'not-read' as const,
    reason: `is larger than ${sizeWords(largestFileBytes)}`,
    remedy: 'Have the sender split it, or raise largestFile of the source.',
  };
}

/** Only its bytes have shown that it is larger than the source takes. */
export function tooLarge({ source, place }: RemoteSource, name: string): UnmatchedFile {
  return { source: source.name, path: `${place}/${visibleText(name)}`, ...obstacleOfSize(source) };
}

/** Oldest first: files with a done-marker; without markers, those that a second look finds unchanged. */
export async function waitUntilComplete(
  { source, doneMarker }: RemoteSource,
  { fresh, markers }: Pick<ReturnType<typeof freshFiles>, 'fresh' | 'markers'>,
  place: RemotePlace,
  clock: Clock,
  stop: AbortSignal,
): Promise<readonly RemoteFile[]> {
  if (fresh.length === 0) return [];
  let isComplete = (_: RemoteFile) => true;
  if (doneMarker !== undefined) isComplete = ({ name }) => markers.has(`${name}${doneMarker}`);
  else if (!place.isWhole) {
    await clock.sleep(source.stableForMs, stop);
    if (stop.aborted) return [];
    const now = new Map((await place.list([])).map(({ name, version }) => [name, version]));
    isComplete = ({ name, version }) => now.get(name) === version;
  }
  const order = (a: RemoteFile, b: RemoteFile) =>
    a.modifiedAt < b.modifiedAt || (a.modifiedAt === b.modifiedAt && a.name < b.name) ? -1 : 1;
  return fresh.filter(isComplete).sort(order);
}
