import { existsSync } from 'node:fs';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, isoFromMs } from '../domain/clock.js';
import { failpoint } from '../domain/process/failpoint.js';
import type { LedgerMark } from '../ledger/store/ledger-mark.js';
import { markSetAside, type SeizedLedger } from '../ledger/store/set-aside.js';
import { syncFile, syncFolder } from '../workspace/files/durable.js';
import { errorCode } from '../workspace/files/io-error.js';
import { removeLeftFiles } from '../workspace/files/left-files.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { removeMarker, writeMarker } from '../workspace/marker.js';

/** What SQLite puts beside a ledger's name, and the ledger itself. */
export const LEDGER_SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

/** A ledger that is ready beside the one whose place it takes. */
export interface ReadyLedger {
  readonly path: string;
  readonly mark: LedgerMark;
  /** What the one that is there is named for. */
  readonly as: 'before-restore' | 'before-new';
}

/**
 * Puts a ledger in the place of the one that is there by one rename, so that a crash leaves the one or the other.
 * @param present the one that is there, seized; null: there is none, or it is damaged.
 * @returns where that one is now; null: there was none.
 */
export async function replaceLedger(
  paths: WorkspacePaths,
  present: SeizedLedger | null,
  clock: Clock,
  { path, mark, as }: ReadyLedger,
): Promise<string | null> {
  await syncFile(path);
  const aside = await setAside(paths, present, clock, as);
  // It tells of the one that was there. After a crash without either, what archive/ holds is asked.
  removeMarker(paths.root);
  await rename(path, paths.ledger);
  await syncFolder(paths.root);
  writeMarker(paths.root, mark);
  return aside;
}

/** Removes what a replacement that was killed left in a folder. */
export async function removeLeftLedgers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    // Beside a copy; the copy itself goes with the other temporary files.
    if (/^\.\d+-[0-9a-f]{16}\.tmp-(wal|shm|journal)$/.test(name)) await rm(join(folder, name));
  }
  await removeLeftFiles(folder);
}

/**
 * Gives the ledger that is there a second, dated name; the first one is the restored ledger's to take. The log of one that
 * is damaged or gone is kept under that name too: it may be needed to mend it, and SQLite would read it into the restored
 * one.
 * @returns null where there is none.
 */
async function setAside(
  paths: WorkspacePaths,
  present: SeizedLedger | null,
  clock: Clock,
  as: string,
): Promise<string | null> {
  const isThere = existsSync(paths.ledger);
  const date = isoFromMs(clock.nowMs()).replace(/[-:.]/g, '');
  const aside = join(dirname(paths.ledger), `registrar-${as}-${date}.db`);
  if (present === null) {
    for (const suffix of ['-wal', '-journal']) await renameIfThere(paths.ledger + suffix, aside + suffix);
  } else {
    await rm(`${paths.ledger}-wal`, { force: true });
  }
  await rm(`${paths.ledger}-shm`, { force: true });
  if (isThere) await link(paths.ledger, aside);
  await syncFolder(paths.root);
  failpoint('ledger-linked');
  if (present !== null) markSetAside(present);
  failpoint('ledger-set-aside');
  return isThere ? aside : null;
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
