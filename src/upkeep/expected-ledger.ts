import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UNSET_LEDGER } from '../config/env-references.js';
import type { Clock } from '../domain/clock.js';
import { OperatorError } from '../domain/operator-error.js';
import { ledgerName } from '../ledger/store/ledger-facts.js';
import { type CurrentMark, type LedgerMark, ledgerMark, unknownDrops } from '../ledger/store/ledger-mark.js';
import {
  closeLedger,
  isInPlace,
  ledgerBytes,
  type NoLedger,
  openLedger,
  openLedgerToRead,
} from '../ledger/store/open.js';
import type { Ledger } from '../ledger/store/query.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { firstTrace, listArchived } from '../workspace/taken/archived.js';
import { advanceMarker, MARKER_FILE, type Marker, readMarker, writeMarker } from './marker.js';

/**
 * Opens a workspace's ledger, and makes one where there has never been one. Throws OperatorError (74) where the workspace's
 * marker or the content of its folders shows that there was another ledger, or that this one went further.
 */
export async function openExpectedLedger(paths: WorkspacePaths, clock: Clock): Promise<Ledger> {
  if (paths.database !== null) return openDatabase(paths, clock);
  const expected = knownOf(paths);
  const ledger = openLedger(paths.ledger, clock, (state) => requireNoneYet(paths, expected, state));
  try {
    await requireExpected(ledger, paths, expected);
    updateMarker(ledger, paths);
    return ledger;
  } catch (error) {
    closeLedger(ledger);
    throw error;
  }
}

/** Opens a workspace's ledger to read alone; null where there has never been one. Throws as `openExpectedLedger` does. */
export async function openExpectedToRead(paths: WorkspacePaths, clock: Clock): Promise<Ledger | null> {
  if (paths.database !== null) return openDatabase(paths, clock);
  const expected = knownOf(paths);
  const ledger = openLedgerToRead(paths.ledger, clock);
  if (ledger === null) {
    requireNoneYet(paths, expected, existsSync(paths.ledger) ? 'empty' : 'missing');
    return null;
  }
  try {
    await requireExpected(ledger, paths, expected);
    return ledger;
  } catch (error) {
    closeLedger(ledger);
    throw error;
  }
}

/**
 * The ledger in a database, which knows by itself whose it is and how far it goes. Throws OperatorError while the workspace has a
 * ledger in a file too, which was used, and where that went on after it was copied into the database: what it sent would be sent again.
 */
async function openDatabase(paths: WorkspacePaths, clock: Clock): Promise<Ledger> {
  const { root, database, ledger: file } = paths;
  if (database === null) throw new Error('the ledger of the workspace is a file');
  if (hasBegun(file, clock)) {
    throw refusal(
      file,
      `this workspace has two ledgers: ${file}, and the database that registrar.yaml names`,
      'Leave one of them. To go on with the database, copy the file into it, where that is still to be done (take `ledger` out of registrar.yaml, then registrar ledger copy), and move the file away. To go on with the file, take `ledger` out.',
    );
  }
  const { url, workspace } = database;
  if (url.startsWith(UNSET_LEDGER)) {
    throw new OperatorError({
      operation: 'open the ledger',
      subject: 'registrar.yaml',
      message: `ledger of registrar.yaml refers to the environment variable ${url.slice(UNSET_LEDGER.length)}, which is not set`,
      hint: 'Set it before you start Registrar. Nothing was changed.',
      exit: 'usage',
    });
  }
  // Whose ledger is a file needs nothing of it.
  const { openDatabaseLedger } = await import('../ledger/store/postgres/open.js');
  const marker = readMarker(root);
  return openDatabaseLedger(url, clock, {
    workspace,
    beside: join(root, 'registrar'),
    ...(marker === null || isUnused(marker) ? {} : { expect: (mark) => requireWholeCopy(mark, marker) }),
  });
}

/** False where a file has no ledger, or one in which nothing has been done yet: `init` makes one to count its requests for tokens. */
function hasBegun(path: string, clock: Clock): boolean {
  const ledger = openLedgerToRead(path, clock);
  if (ledger === null) return ledgerBytes(path) > 0;
  try {
    return !isUnused(ledgerMark(ledger));
  } finally {
    closeLedger(ledger);
  }
}

function isUnused({ run, drop, attempt }: Pick<LedgerMark, 'run' | 'drop' | 'attempt'>): boolean {
  return run + drop + attempt === 0;
}

/** @param marker how far the file went that was the ledger before. */
function requireWholeCopy(mark: LedgerMark, marker: Marker): void {
  if (mark.ledger !== marker.ledger) {
    throw refusal(
      'the database',
      `the database holds another ledger than this workspace had: ${MARKER_FILE} names one that had reached ${reach(marker)}`,
      `Restore that one and copy it into an empty database: registrar ledger copy --to. To start with an empty ledger all the same, move ${MARKER_FILE} away.`,
    );
  }
  if (isAsFar(mark, marker)) return;
  throw refusal(
    'the database',
    `the database is an older copy of this workspace's ledger: it goes as far as ${reach(mark)}, and ${MARKER_FILE} names ${reach(marker)}`,
    'Move the file back to registrar.db, stop what works on it, and copy it again, into an empty database: registrar ledger copy --to. Nothing was imported or sent.',
  );
}

/** Writes into the marker how far a workspace's ledger goes, where that has changed. A database needs no marker. */
export function updateMarker(ledger: Ledger, paths: Pick<WorkspacePaths, 'root'>): void {
  if (ledger.file !== null) writeDown(ledgerMark(ledger), paths);
}

function writeDown(mark: CurrentMark, { root }: Pick<WorkspacePaths, 'root'>): void {
  // The mark of a ledger that was moved away would hide the file that is in its place now; a mark that is rolled back would
  // be missed for ever.
  if (!mark.isInPlace || !mark.isCommitted) return;
  const before = readMarker(root);
  if (before === null || KEPT.some((name) => before[name] !== mark[name])) writeMarker(root, mark);
}

/**
 * Returns a function to be called on each event. It notes each request in the marker, and now and then writes the log into
 * the ledger; so the removed log of a dead run is noticed, and little is lost. It throws OperatorError once the ledger is no
 * longer in its place.
 */
export function markerUpdater(ledger: Ledger, paths: Pick<WorkspacePaths, 'root'>): () => void {
  if (ledger.file === null) return () => {};
  let nextMs = 0;
  let attempt = 0;
  return () => {
    const isDue = ledger.clock.monotonicMs() >= nextMs;
    const mark = ledgerMark(ledger, isDue ? 'written' : 'as-it-is');
    if (!mark.isInPlace) throw notInPlace(ledger);
    // Another flow of this process has a transaction open that may be rolled back: the next event notes its result.
    if (!mark.isCommitted) return;
    if (mark.attempt > attempt) advanceMarker(paths.root, mark);
    attempt = mark.attempt;
    if (!isDue) return;
    writeDown(mark, paths);
    nextMs = ledger.clock.monotonicMs() + STEP_MS;
  };
}

/**
 * Throws OperatorError unless the ledger is in its place: writes to a ledger that was moved away are missing in the next
 * ledger at its path.
 */
export function requireInPlace(ledger: Ledger): void {
  if (!isInPlace(ledger)) throw notInPlace(ledger);
}

function notInPlace(ledger: Ledger): OperatorError {
  const path = ledgerName(ledger);
  return new OperatorError({
    operation: 'open the ledger',
    subject: path,
    message: `${path} was ${existsSync(path) ? 'replaced by another file' : 'moved away or deleted'} while this process has it open`,
    hint: 'Nothing is imported or sent. End this process and move the ledger back with its -wal file, or restore a backup: registrar restore FILE --because TEXT.',
    exit: 'io',
  });
}

/** Two syncs every few seconds cost nothing beside the syncs of the ledger itself. */
const STEP_MS = 2_000;

const KEPT = ['ledger', 'run', 'drop', 'attempt'] as const;

/** Signs that there was a ledger, read before one is opened: meanwhile another process may make the first one. */
interface Known {
  readonly marker: Marker | null;
  /** The first file that a ledger must know, where there is no marker; null where there is none. */
  readonly trace: string | null;
}

function knownOf(paths: WorkspacePaths): Known {
  const marker = readMarker(paths.root);
  return { marker, trace: marker === null ? (leftLog(paths) ?? firstTrace(paths)) : null };
}

/** The log of a ledger whose own file is gone or empty; null where there is none. */
function leftLog({ ledger }: WorkspacePaths): string | null {
  const log = `${ledger}-wal`;
  return ledgerBytes(ledger) === 0 && ledgerBytes(log) > 0 ? log : null;
}

function requireNoneYet({ ledger: path }: WorkspacePaths, { marker, trace }: Known, state: NoLedger): void {
  if (marker === null && trace === null) return;
  const proof =
    marker === null
      ? `${trace} shows that there was one`
      : `${MARKER_FILE} shows that there was one, which had reached ${reach(marker)}`;
  throw refusal(
    path,
    state === 'missing' ? `the ledger ${path} is missing: ${proof}` : `the ledger ${path} is empty: ${proof}`,
    'Move it back, or restore a backup: registrar restore FILE --because TEXT. Where there is neither, registrar init --new-ledger makes an empty one, without any record of earlier deliveries. Nothing was imported or sent.',
  );
}

async function requireExpected(
  ledger: Ledger,
  paths: WorkspacePaths,
  { marker, trace }: Known,
): Promise<void> {
  if (marker === null) {
    if (trace !== null) await requireNothingLater(ledger, paths);
    return;
  }
  const mark = ledgerMark(ledger);
  if (mark.ledger !== marker.ledger) {
    throw refusal(
      ledgerName(ledger),
      `${ledgerName(ledger)} is not this workspace's ledger: ${MARKER_FILE} names another one, which had reached ${reach(marker)}`,
      PUT_BACK,
    );
  }
  if (isAsFar(mark, marker)) return;
  throw refusal(
    ledgerName(ledger),
    `${ledgerName(ledger)} is older than it was: it goes as far as ${reach(mark)}, and ${MARKER_FILE} names ${reach(marker)}. An older copy was put in its place, or its log, ${ledgerName(ledger)}-wal, was removed`,
    PUT_BACK,
  );
}

function isAsFar(mark: LedgerMark, marker: Marker): boolean {
  return mark.run >= marker.run && mark.drop >= marker.drop && mark.attempt >= marker.attempt;
}

/** Without a marker the numbers of archived files say how far the ledger went. */
async function requireNothingLater(ledger: Ledger, paths: WorkspacePaths): Promise<void> {
  const mark = ledgerMark(ledger);
  const archived = listArchived(paths);
  const later = new Set(
    await unknownDrops(
      ledger,
      archived.map(({ dropId }) => dropId).filter((id) => id > mark.drop),
    ),
  );
  const first = archived.find(({ dropId }) => later.has(dropId));
  if (first === undefined) return;
  throw refusal(
    ledgerName(ledger),
    `${ledgerName(ledger)} is older than it was, or another one: it goes as far as ${reach(mark)}, and ${first.path} was imported as drop ${first.dropId}`,
    `${PUT_BACK} A file that Registrar didn't put into archive/ must be moved away.`,
  );
}

/** An older copy knows neither what was sent since nor how much of the quota that took: a restore takes care of both. */
const PUT_BACK =
  'Move the right one back, or restore a backup: registrar restore FILE --because TEXT. Where there is none, give this one another name and restore it: what may have been delivered since is then held. Nothing was imported or sent.';

function reach({ run, drop, attempt }: Omit<Marker, 'ledger'>): string {
  return `run ${run}, drop ${drop} and request ${attempt}`;
}

function refusal(subject: string, message: string, hint: string): OperatorError {
  return new OperatorError({ operation: 'open the ledger', subject, message, hint, exit: 'io' });
}
