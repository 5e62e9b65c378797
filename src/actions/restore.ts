import { existsSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.js';
import { countOf } from '../domain/count-of.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { type AfterRestore, prepareRestored } from '../ledger/after-restore.js';
import { isTakenIn } from '../ledger/drops.js';
import { ledgerHealth } from '../ledger/health.js';
import { imbalances } from '../ledger/imbalances.js';
import { type LedgerMark, ledgerMark } from '../ledger/ledger-mark.js';
import { closeLedger, ledgerBytes, openLedger } from '../ledger/open.js';
import type { Ledger } from '../ledger/query.js';
import { releaseLedger, reviveCopy, type SeizedLedger, seizeLedger } from '../ledger/set-aside.js';
import { type LedgerTotals, ledgerTotals } from '../ledger/totals.js';
import { LEDGER_SUFFIXES, removeLeftLedgers, replaceLedger } from '../upkeep/replace-ledger.js';
import { highestArchived } from '../workspace/archived.js';
import { copyVerified, sha256Of } from '../workspace/copy-verified.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { errorCode, ioError } from '../workspace/io-error.js';

/** What a restore has done. */
export interface Restored extends AfterRestore {
  /** How far the backup goes. */
  readonly totals: LedgerTotals;
  /** Where the ledger is that was there before; null: there was none. */
  readonly aside: string | null;
  /** False where it is damaged or missing: then nobody knows what it had delivered. */
  readonly compared: boolean;
  /** Files in archive/ that the restored ledger hasn't taken in: their rows may have been delivered. */
  readonly unknownFiles: readonly string[];
}

/**
 * Puts a backup in the ledger's place. Everything is made ready in a copy beside it; the last step is one rename, so that
 * a crash leaves the old ledger or the new one. Throws OperatorError, having changed nothing, where the backup isn't sound
 * or somebody has the ledger open.
 */
export async function restoreLedger(
  paths: WorkspacePaths,
  clock: Clock,
  file: string,
  asked: { readonly who: Decider; readonly because: string },
): Promise<Restored> {
  await refuseUnfit(file, paths);
  const copy = await copyInto(paths.root, file);
  let present: SeizedLedger | null = null;
  try {
    reviveCopy(copy);
    const ledger = openLedger(copy, clock);
    let after: AfterRestore;
    let mark: LedgerMark;
    let totals: LedgerTotals;
    let unknownFiles: readonly string[];
    try {
      requireSound(ledger, file);
      present = ledgerBytes(paths.ledger) > 0 ? seizeLedger(paths.ledger) : null;
      totals = ledgerTotals(ledger);
      after = prepareRestored(ledger, present, { ...asked, strangeDrop: highestArchived(paths) });
      mark = ledgerMark(ledger);
      unknownFiles = await unknownArchived(ledger, paths);
    } finally {
      closeLedger(ledger);
    }
    const aside = await replaceLedger(paths, present, clock, { path: copy, mark, as: 'before-restore' });
    return { ...after, totals, aside, compared: after.lost !== null, unknownFiles };
  } catch (error) {
    if (errorCode(error) !== null) throw ioError('restore the ledger', paths.ledger, error);
    throw error;
  } finally {
    if (present !== null) releaseLedger(present);
    for (const suffix of LEDGER_SUFFIXES) await rm(copy + suffix, { force: true });
  }
}

async function refuseUnfit(file: string, paths: WorkspacePaths): Promise<void> {
  const size = await sizeOf(file);
  if (size === null) {
    const isFolder = existsSync(file);
    const message = isFolder ? `${file} is a folder` : `there is no file ${file}`;
    throw refusal(file, message, isFolder ? 'Name a backup in it.' : 'Check the path, and name a backup.');
  }
  if (LEDGER_SUFFIXES.some((suffix) => file === paths.ledger + suffix)) {
    throw refusal(file, `${file} is the ledger itself`, 'Name a backup of it.');
  }
  if (((await sizeOf(`${file}-wal`)) ?? 0) > 0) {
    throw refusal(
      file,
      `${file} has a log beside it, ${file}-wal: it is in use, or was copied while it was`,
      'Make a backup of it with registrar backup, and restore that.',
    );
  }
}

/** A copy beside the ledger, so that a rename can put it in its place. */
async function copyInto(folder: string, file: string): Promise<string> {
  try {
    await removeLeftLedgers(folder);
    const copy = await copyVerified(file, folder);
    if (copy !== null) return copy.path;
    throw refusal(
      file,
      `${file} changed while it was copied, or is no plain file`,
      'Name the backup itself.',
    );
  } catch (error) {
    if (errorCode(error) === null) throw error;
    throw ioError('copy the backup', file, error);
  }
}

function requireSound(ledger: Ledger, file: string): void {
  const { damage, danglingRows } = ledgerHealth(ledger, 'full');
  const fault =
    damage[0] ??
    (danglingRows > 0
      ? `${countOf(danglingRows, 'row refers', 'rows refer')} to rows that are not there`
      : null);
  if (fault !== null) {
    throw refusal(
      file,
      `${file} is damaged (${fault})`,
      'Restore another backup. Nothing was changed.',
      'io',
    );
  }
  const [imbalance] = imbalances(ledger);
  if (imbalance) {
    throw refusal(
      file,
      `the books of ${file} don't balance (${imbalance.subject})`,
      'Restore another backup. Nothing was changed.',
      'unbalanced',
    );
  }
}

/** Files of archive/ whose bytes no published drop of their source has. */
async function unknownArchived(ledger: Ledger, { archive }: WorkspacePaths): Promise<string[]> {
  const unknown: string[] = [];
  for (const source of await foldersIn(archive)) {
    const folder = join(archive, source);
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name);
      if (!isTakenIn(ledger, source, await sha256Of(path))) unknown.push(path);
    }
  }
  return unknown;
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** null: there is no such file. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    const stat = await lstat(path);
    return stat.isFile() ? stat.size : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw ioError('restore the ledger', path, error);
  }
}

function refusal(
  subject: string,
  message: string,
  hint: string,
  exit: OperatorError['exit'] = 'usage',
): OperatorError {
  return new OperatorError({ operation: 'restore the ledger', subject, message, hint, exit });
}
