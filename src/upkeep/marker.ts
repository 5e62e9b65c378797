import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsOf } from '../domain/operator-error.js';
import type { LedgerMark } from '../ledger/store/ledger-mark.js';
import { FILE_MODE, syncFolderNow } from '../workspace/files/durable.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { temporaryPath } from '../workspace/files/leftover-files.js';

/**
 * What a workspace remembers about its ledger outside of it, so that a missing, emptied or restored ledger is noticed: a mark
 * that may lag behind the ledger and is never ahead of it. Its name doesn't begin like `registrar.db`, so that a person who
 * removes or moves all files of that name leaves it.
 */
export const MARKER_FILE = 'registrar.marker.json';

const READING = 'read the marker of the ledger';

/** The workspace's marker; null where there is none. Throws OperatorError where the file isn't Registrar's marker. */
export function readMarker(root: string): LedgerMark | null {
  const path = join(root, MARKER_FILE);
  try {
    const { ledger, run, drop, attempt } = JSON.parse(readFileSync(path, 'utf8')) as LedgerMark;
    if (typeof ledger === 'string' && [run, drop, attempt].every(Number.isSafeInteger)) {
      return { ledger, run, drop, attempt };
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) throw ioError(READING, path, error);
  }
  const message = `${path}, which says how far the ledger goes, is damaged`;
  const hint = 'Delete it if registrar.db is the one that the last run wrote: the next run writes it again.';
  throw errorsOf(READING)(path, message, hint, { exit: 'io' });
}

/** Writes the marker so that a power cut leaves the old one or the new one. */
export function writeMarker(root: string, { ledger, run, drop, attempt }: LedgerMark): void {
  const path = join(root, MARKER_FILE);
  const temporary = temporaryPath(root);
  try {
    const text = JSON.stringify({ about: ABOUT, ledger, run, drop, attempt });
    writeFileSync(temporary, `${text}\n`, { flag: 'wx', mode: FILE_MODE, flush: true });
    renameSync(temporary, path);
    syncFolderNow(root);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw ioError('write the marker of the ledger', path, error);
  }
}

const ABOUT =
  'How far registrar.db goes, so that a ledger that is missing or set back is noticed. Leave it here.';

/** Removes the marker: a ledger of another origin replaces the one that it is about. */
export function removeMarker(root: string): void {
  rmSync(join(root, MARKER_FILE), { force: true });
  syncFolderNow(root);
}
