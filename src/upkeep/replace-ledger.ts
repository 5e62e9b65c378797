import { existsSync } from 'node:fs';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, isoFromMs } from '../domain/clock.js';
import { failpoint } from '../domain/process/failpoint.js';
import type { LedgerMark } from '../ledger/store/ledger-mark.js';
import { markReplaced, type SeizedLedger } from '../ledger/store/sqlite/seize-ledger.js';
import { syncFile, syncFolder } from '../workspace/files/durable.js';
import { removeLeftovers } from '../workspace/files/leftover-files.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { removeMarker, writeMarker } from './marker.js';

/** The suffixes of the files that SQLite keeps beside a ledger; '' is the ledger itself. */
export const LEDGER_SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

interface ReadyLedger {
  readonly path: string;
  readonly mark: LedgerMark;
  /** The word in the name under which the replaced ledger is kept. */
  readonly as: 'before-restore' | 'before-new';
}

/**
 * Replaces the present ledger by one rename, so that a crash leaves either the one or the other.
 * @param present the present ledger, seized; null where there is none, or it is damaged.
 * @returns the path of the replaced ledger; null where there was none.
 */
export async function replaceLedger(
  paths: WorkspacePaths,
  present: SeizedLedger | null,
  clock: Clock,
  { path, mark, as }: ReadyLedger,
): Promise<string | null> {
  await syncFile(path);
  const kept = await keepPrevious(paths, present, clock, as);
  // The marker is about the replaced ledger. After a crash between this and the next marker, archive/ shows how far the
  // ledger went.
  removeMarker(paths.root);
  await rename(path, paths.ledger);
  await syncFolder(paths.root);
  writeMarker(paths.root, mark);
  return kept;
}

/** Removes the files that a killed replacement left in a folder. */
export async function removeLeftoverLedgers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    // SQLite's files beside a copy; the copy itself is removed with the other temporary files.
    if (/^\.\d+-[0-9a-f]{16}\.tmp-(wal|shm|journal)$/.test(name)) await rm(join(folder, name));
  }
  await removeLeftovers(folder);
}

/**
 * Gives the present ledger a second, dated name, so that the restored ledger can take the first. The log of a damaged
 * or missing ledger is kept under the dated name too: it may be needed to repair that ledger, and SQLite would read it
 * into the restored one.
 * @returns the dated path; null where there is no ledger.
 */
async function keepPrevious(paths: WorkspacePaths, present: SeizedLedger | null, clock: Clock, as: string) {
  const isThere = existsSync(paths.ledger);
  const date = isoFromMs(clock.nowMs()).replace(/[-:.]/g, '');
  const kept = join(dirname(paths.ledger), `registrar-${as}-${date}.db`);
  for (const suffix of ['-wal', '-journal'] as const) {
    const log = paths.ledger + suffix;
    if (present === null && existsSync(log)) await rename(log, kept + suffix);
  }
  if (present !== null) await rm(`${paths.ledger}-wal`, { force: true });
  await rm(`${paths.ledger}-shm`, { force: true });
  if (isThere) await link(paths.ledger, kept);
  await syncFolder(paths.root);
  failpoint('ledger-linked');
  if (present !== null) markReplaced(present);
  failpoint('ledger-moved');
  return isThere ? kept : null;
}
