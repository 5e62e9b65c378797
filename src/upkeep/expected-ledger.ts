import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UNSET_LEDGER } from '../config/env-references.js';
import type { Clock } from '../domain/clock.js';
import { grouped } from '../domain/grouped.js';
import { type ExitName, errorsOf, OperatorError } from '../domain/operator-error.js';
import { countOf } from '../domain/text/count-of.js';
import { ledgerName } from '../ledger/store/ledger-facts.js';
import { type LedgerMark, ledgerMark, unknownDrops } from '../ledger/store/ledger-mark.js';
import {
  closeLedger,
  isInPlace,
  ledgerBytes,
  openLedger,
  openLedgerToRead,
  withLedger,
} from '../ledger/store/open.js';
import type { FileLedger, Ledger } from '../ledger/store/query.js';
import { firstTrace, listArchived } from '../workspace/claimed/archived.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { MARKER_FILE, readMarker, writeMarker } from './marker.js';

/**
 * Opens a workspace's ledger, and makes one where there has never been one. Throws OperatorError (74) where the workspace's
 * marker or the content of its folders shows that there was another ledger, or that this one went further.
 */
export async function openExpectedLedger(paths: WorkspacePaths, clock: Clock): Promise<Ledger> {
  if (paths.database !== null) return openDatabase(paths, clock);
  const recorded = recordedMark(paths);
  const ledger = openLedger(paths.ledger, clock, () => requireNoneYet(paths, recorded));
  return checked(ledger, async () => {
    await requireExpected(ledger, paths, recorded);
    updateMarker(ledger, paths);
  });
}

/** Opens a workspace's ledger to read alone; null where there has never been one. Throws as `openExpectedLedger` does. */
export async function openExpectedToRead(paths: WorkspacePaths, clock: Clock): Promise<Ledger | null> {
  if (paths.database !== null) return openDatabase(paths, clock);
  const recorded = recordedMark(paths);
  const ledger = openLedgerToRead(paths.ledger, clock);
  if (ledger !== null) return checked(ledger, () => requireExpected(ledger, paths, recorded));
  requireNoneYet(paths, recorded);
  return null;
}

/** The ledger; closed where `check` throws. */
async function checked(ledger: FileLedger, check: () => Promise<void>): Promise<Ledger> {
  try {
    await check();
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
  if (await hasBegun(file, clock)) {
    throw refusal(
      file,
      `this workspace has two ledgers: ${file}, and the database that registrar.yaml names`,
      'Keep one of them. To continue with the database, copy the file into it if you haven’t yet (remove `ledger` from registrar.yaml, then registrar ledger copy), and move the file away. To continue with the file, remove `ledger`.',
    );
  }
  const { url, workspace } = database;
  if (url.startsWith(UNSET_LEDGER)) {
    const message = `ledger of registrar.yaml refers to the environment variable ${url.slice(UNSET_LEDGER.length)}, which is not set`;
    const hint = 'Set it before you start Registrar. Nothing was changed.';
    throw refusal('registrar.yaml', message, hint, 'usage');
  }
  // Whose ledger is a file needs nothing of it.
  const { openDatabaseLedger } = await import('../ledger/store/postgres/open.js');
  const marker = readMarker(root);
  const expect = (mark: LedgerMark) => {
    if (marker !== null && !isUnused(marker)) requireReached('the database', mark, marker, COPY_AGAIN);
  };
  return openDatabaseLedger(url, clock, { workspace, beside: join(root, 'registrar'), expect });
}

/** False where a file has no ledger, or one in which nothing has been done yet: `init` makes one to count its requests for tokens. */
async function hasBegun(path: string, clock: Clock): Promise<boolean> {
  const ledger = openLedgerToRead(path, clock);
  if (ledger === null) return ledgerBytes(path) > 0;
  return withLedger(ledger, async () => !isUnused(ledgerMark(ledger)));
}

function isUnused({ run, drop, attempt }: Pick<LedgerMark, 'run' | 'drop' | 'attempt'>): boolean {
  return run + drop + attempt === 0;
}

/** Writes into the marker how far a workspace's ledger goes, where that has changed. A database needs no marker. */
export function updateMarker(ledger: Ledger, { root }: Pick<WorkspacePaths, 'root'>): void {
  // The mark of a ledger that was moved away would hide the file that is in its place now.
  if (ledger.file === null || !isInPlace(ledger)) return;
  const { isCommitted, ...mark } = ledgerMark(ledger);
  // A mark that is rolled back would be missed for ever.
  if (isCommitted && !isDeepStrictEqual(readMarker(root), mark)) writeMarker(root, mark);
}

/** Updates the marker every few seconds when called on each event; throws OperatorError once the ledger has moved. */
export function markerUpdater(ledger: Ledger, paths: Pick<WorkspacePaths, 'root'>): () => void {
  let nextMs = 0;
  return () => {
    requireInPlace(ledger);
    if (ledger.clock.monotonicMs() < nextMs) return;
    updateMarker(ledger, paths);
    nextMs = ledger.clock.monotonicMs() + STEP_MS;
  };
}

/** Two syncs every few seconds cost nothing beside the syncs of the ledger itself. */
const STEP_MS = 2_000;

/** Throws OperatorError unless the ledger is in its place: the next ledger there would miss what is written. */
export function requireInPlace(ledger: Ledger): void {
  if (isInPlace(ledger)) return;
  const path = ledgerName(ledger);
  throw refusal(
    path,
    `${path} was ${existsSync(path) ? 'replaced by another file' : 'moved away or deleted'} while this process has it open`,
    'Nothing is imported or sent. End this process and move the ledger back with its -wal file, or restore a backup: registrar restore FILE --because TEXT.',
  );
}

type RecordedMark = ReturnType<typeof recordedMark>;

/**
 * Signs that there was a ledger, read before one is opened: meanwhile another process may make the first one. `trace`:
 * without a marker, the first file that a ledger must know; null where there is none.
 */
function recordedMark(paths: WorkspacePaths) {
  const marker = readMarker(paths.root);
  return { marker, trace: marker === null ? firstTrace(paths) : null };
}

function requireNoneYet({ ledger: path }: WorkspacePaths, { marker, trace }: RecordedMark): void {
  if (marker === null && trace === null) return;
  const reached = marker === null ? '' : `, which had reached ${reach(marker)}`;
  throw refusal(
    path,
    `the ledger ${path} is missing or empty: ${trace ?? MARKER_FILE} shows that there was one${reached}`,
    'Move it back, or restore a backup: registrar restore FILE --because TEXT. Where there is neither, registrar init --new-ledger makes an empty one, without any record of earlier deliveries. Nothing was imported or sent.',
  );
}

async function requireExpected(ledger: Ledger, paths: WorkspacePaths, { marker, trace }: RecordedMark) {
  if (marker !== null) requireReached(ledgerName(ledger), ledgerMark(ledger), marker, PUT_BACK);
  else if (trace !== null) await requireNothingLater(ledger, paths);
}

/** Throws where a ledger isn't the one of the marker, or goes less far. */
function requireReached(name: string, mark: LedgerMark, marker: LedgerMark, hint: string): void {
  const isOther = mark.ledger !== marker.ledger;
  if (!isOther && mark.run >= marker.run && mark.drop >= marker.drop && mark.attempt >= marker.attempt)
    return;
  throw refusal(
    name,
    isOther
      ? `${name} is not this workspace's ledger: ${MARKER_FILE} names another one, which had reached ${reach(marker)}`
      : `${name} is older than before: it ends at ${reach(mark)}, and ${MARKER_FILE} shows ${reach(marker)}`,
    hint,
  );
}

/** Without a marker the numbers of archived files say how far the ledger went. */
async function requireNothingLater(ledger: Ledger, paths: WorkspacePaths): Promise<void> {
  const mark = ledgerMark(ledger);
  const first = (await lostFiles(ledger, paths)).find(({ dropId }) => dropId > mark.drop);
  if (first === undefined) return;
  throw refusal(
    ledgerName(ledger),
    `${ledgerName(ledger)} is older than before, or another one: it ends at ${reach(mark)}, and ${first.path} was imported as drop ${first.dropId}`,
    `${PUT_BACK} A file that Registrar didn't put into archive/ must be moved away.`,
  );
}

/** Files of archive/ whose numbers belong to no published drop. */
async function lostFiles(ledger: Ledger, paths: WorkspacePaths) {
  const archived = listArchived(paths);
  const unknown = new Set(await unknownDrops(ledger, [...new Set(archived.map(({ dropId }) => dropId))]));
  return archived.filter(({ dropId }) => unknown.has(dropId));
}

/** Files of archive/ whose numbers belong to no published drop, by source: the ledger has lost these drops. */
export async function unknownArchived(ledger: Ledger, paths: WorkspacePaths): Promise<OperatorError[]> {
  const lost = await lostFiles(ledger, paths);
  return [...grouped(lost, ({ source }) => source)].map(([source, files]) => {
    const [they, them] = files.length === 1 ? ['it', 'it'] : ['they', 'them'];
    const named = files.slice(0, SHOWN).map(({ path }) => path);
    const more = files.length > SHOWN ? ', …' : '';
    const message = `the ledger doesn't know ${countOf(files.length, 'file')} of source ${source} in archive/, although ${they} should have been imported: ${named.join(', ')}${more}`;
    const hint = `Put ${them} into the inbox again: rows that the ledger knows are not sent twice.`;
    return errorsOf('compare archive/ with the ledger')(source, message, hint, { exit: 'attention' });
  });
}

const SHOWN = 3;

/** For a database that the ledger in a file was copied into. */
const COPY_AGAIN = `Move the file back to registrar.db, stop what works on it, and copy it again, into an empty database: registrar ledger copy --to. To start with an empty ledger all the same, move ${MARKER_FILE} away. Nothing was imported or sent.`;

/** An older copy knows neither what was sent since nor how much of the quota that took: a restore takes care of both. */
const PUT_BACK =
  'An older copy was put in its place, or its log, registrar.db-wal, was removed. Move the right one back, or restore a backup: registrar restore FILE --because TEXT. Without a backup, rename this one and restore it: what may have been delivered since is then held. Nothing was imported or sent.';

function reach({ run, drop, attempt }: Omit<LedgerMark, 'ledger'>): string {
  return `run ${run}, drop ${drop} and request ${attempt}`;
}

function refusal(subject: string, message: string, hint: string, exit: ExitName = 'io'): OperatorError {
  return new OperatorError({ operation: 'open the ledger', subject, message, hint, exit });
}
