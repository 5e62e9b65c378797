import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../domain/operator-error.js';
import { FILE_MODE, syncFolderNow } from '../workspace/files/durable.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { temporaryPath } from '../workspace/files/left-files.js';

/**
 * What a workspace remembers about its ledger outside of it, so that a missing, emptied or restored ledger is noticed. The marker
 * may lag behind the ledger and is never ahead of it.
 */
export interface Marker {
  /** Distinguishes ledgers: a hash of the salt. */
  readonly ledger: string;
  /** Highest numbers that the ledger had given. */
  readonly run: number;
  readonly drop: number;
  readonly attempt: number;
}

/**
 * Its name in the workspace. It doesn't begin like `registrar.db`, so that a person who removes or moves all files of that name
 * leaves it.
 */
export const MARKER_FILE = 'registrar.marker.json';

/** The workspace's marker; null where there is none. Throws OperatorError where the file isn't Registrar's marker. */
export function readMarker(root: string): Marker | null {
  const path = join(root, MARKER_FILE);
  try {
    const { ledger, run, drop, attempt } = JSON.parse(readFileSync(path, 'utf8')) as Marker;
    if (typeof ledger === 'string' && [run, drop, attempt].every(Number.isSafeInteger)) {
      return { ledger, run, drop, attempt };
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) throw ioError('read the marker of the ledger', path, error);
  }
  throw new OperatorError({
    operation: 'read the marker of the ledger',
    subject: path,
    message: `${path}, which says how far the ledger goes, is damaged`,
    hint: 'Delete it if registrar.db is the one that the last run wrote: the next run writes it again.',
    exit: 'io',
  });
}

/** Writes the marker so that a power cut leaves the old one or the new one. */
export function writeMarker(root: string, marker: Marker): void {
  const path = join(root, MARKER_FILE);
  const temporary = temporaryPath(root);
  try {
    writeFileSync(temporary, textOf(marker), { flag: 'wx', mode: FILE_MODE, flush: true });
    renameSync(temporary, path);
    syncFolderNow(root);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw ioError('write the marker of the ledger', path, error);
  }
}

/**
 * The same for a marker in which only the number of requests has changed, many times a minute: it overwrites the existing one of
 * the same length, and waits for nothing. After a power cut it may show fewer requests.
 */
export function advanceMarker(root: string, marker: Marker): void {
  const path = join(root, MARKER_FILE);
  let file: number | null = null;
  try {
    file = openSync(path, 'r+');
    writeSync(file, textOf(marker), 0);
  } catch (error) {
    // The marker was removed: the next step of the run writes it again.
    if (errorCode(error) !== 'ENOENT') throw ioError('write the marker of the ledger', path, error);
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** The marker's text, of the same length however far the ledger has come. */
function textOf({ ledger, run, drop, attempt }: Marker): string {
  const numbers = Object.entries({ run, drop, attempt }).map(
    ([name, number]) => `"${name}": ${String(number).padStart(16)}`,
  );
  return `{"about": "${ABOUT}", "ledger": "${ledger}", ${numbers.join(', ')}}\n`;
}

const ABOUT =
  'How far registrar.db goes, so that a ledger that is missing or set back is noticed. Leave it here.';

/** Removes the marker: a ledger of another origin replaces the one that it is about. */
export function removeMarker(root: string): void {
  rmSync(join(root, MARKER_FILE), { force: true });
  syncFolderNow(root);
}
