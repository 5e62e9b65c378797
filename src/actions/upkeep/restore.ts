import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { OperatorError } from '../../domain/operator-error.js';
import { ledgerHealth } from '../../ledger/books/balance/ledger-health.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { type AfterRestore, prepareRestored } from '../../ledger/decisions/after-restore.js';
import { openDecision } from '../../ledger/erasure/open-decision.js';
import { type LedgerMark, ledgerMark } from '../../ledger/store/ledger-mark.js';
import { ledgerName } from '../../ledger/store/ledger-name.js';
import { closeLedger, disconnect, ledgerBytes, openLedgerToRead } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { releaseLedger, type SeizedLedger, seizeLedger } from '../../ledger/store/sqlite/set-aside.js';
import type { LedgerTotals } from '../../ledger/store/totals.js';
import { openExpectedLedger } from '../../upkeep/expected-ledger.js';
import { replaceLedger } from '../../upkeep/replace-ledger.js';
import { sha256Of } from '../../workspace/files/copy-verified.js';
import { errorCode, sqliteCode } from '../../workspace/files/io-error.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type Marker, readMarker } from '../../workspace/marker.js';
import { highestArchived } from '../../workspace/taken/archived.js';
import type { LocatedWorkspace } from '../context.js';
import { examineCopy, openCopy, refusal, refuseUnfit, withCopy } from './backup-copy.js';
import { requireFile } from './require-file.js';
import { isTakenIn } from './taken-in.js';

/** The backup to restore. */
export interface RestoreRequest {
  /** The absolute path of a backup. */
  readonly file: string;
}

/** A backup that can replace the ledger. */
export interface RestorePlan {
  readonly file: string;
  /** SHA-256 of the bytes that were checked, in lower-case hexadecimal digits. */
  readonly sha256: string;
  /** How far the backup goes. */
  readonly totals: LedgerTotals;
  /**
   * The ledger that would be set aside; null where there is none. `totals` says how far it goes; null where it can't be
   * read.
   */
  readonly present: { readonly path: string; readonly totals: LedgerTotals | null } | null;
}

/** What a restore has done. */
export interface Restored extends AfterRestore {
  /** How far the backup goes. */
  readonly totals: LedgerTotals;
  /** The path of the replaced ledger; null where there was none. */
  readonly aside: string | null;
  /** False where the replaced ledger is damaged or missing: then nobody knows what it had delivered. */
  readonly compared: boolean;
  /** Files in archive/ that the restored ledger doesn't know: their rows may have been delivered. */
  readonly unknownFiles: readonly string[];
}

/**
 * Checks a backup in a copy that is removed afterwards, and changes nothing. Throws OperatorError where the backup isn't
 * sound, or is of another workspace's ledger. Works with any registrar.yaml, even a wrong one.
 */
export async function plan(
  { paths, clock }: LocatedWorkspace,
  { file }: RestoreRequest,
): Promise<RestorePlan> {
  requireFile(paths, 'restore a backup');
  await refuseUnfit(file, paths);
  return withCopy(paths, file, async ({ path, sha256 }) => {
    const { totals } = await examineCopy(path, file, markerIfReadable(paths), 'full', clock);
    return { file, sha256, totals, present: await presentLedger(paths, clock) };
  });
}

/**
 * Replaces the ledger by a backup. Everything is prepared in a copy beside the ledger; the last step is one rename, so that
 * a crash leaves the old ledger or the new one. Throws OperatorError, having changed nothing, where the backup has changed
 * since it was checked, or somebody has the ledger open.
 */
export async function carryOut(
  { paths, clock }: LocatedWorkspace,
  { file, sha256, totals }: RestorePlan,
  who: Decider,
  because: string,
): Promise<Restored> {
  return withCopy(paths, file, async (copy) => {
    if (copy.sha256 !== sha256) {
      throw refusal(
        file,
        `${file} changed since it was looked through`,
        'Restore it again. Nothing was changed.',
      );
    }
    let present: SeizedLedger | null = null;
    try {
      const ledger = openCopy(copy.path, file, clock);
      let after: AfterRestore;
      let mark: LedgerMark;
      let unknownFiles: readonly string[];
      try {
        present = ledgerBytes(paths.ledger) > 0 ? seizeLedger(paths.ledger) : null;
        const asked = { who, because, strangeDrop: highestArchived(paths) };
        after = await prepareRestored(ledger, present, asked);
        mark = ledgerMark(ledger);
        unknownFiles = await unknownArchived(ledger, paths);
      } finally {
        closeLedger(ledger);
      }
      const ready = { path: copy.path, mark, as: 'before-restore' } as const;
      const aside = await replaceLedger(paths, present, clock, ready);
      return { ...after, totals, aside, compared: after.lost !== null, unknownFiles };
    } finally {
      if (present !== null) releaseLedger(present);
    }
  });
}

/**
 * Prepares the ledger in a database that was set back by the database's own tools: nothing that may have been delivered since is
 * sent by itself. Throws OperatorError for a ledger in a file, and while some process works on the ledger.
 */
export async function holdSetBack(
  { paths, clock }: LocatedWorkspace,
  who: Decider,
  because: string,
): Promise<Restored> {
  if (paths.database === null) {
    throw refusal(
      paths.ledger,
      `the ledger of this workspace is the file ${paths.ledger}`,
      'Restore a backup of it: registrar restore FILE --because TEXT. Nothing was changed.',
    );
  }
  const ledger = await openExpectedLedger(paths, clock);
  try {
    const { leases } = (await readState(ledger, ['work'])).work;
    const busy = leases.find(({ isAlive }) => isAlive);
    if (busy !== undefined) {
      throw refusal(
        ledgerName(ledger),
        `process ${busy.pid} works on the ledger (${busy.name})`,
        'Stop every service and run on every machine, then repeat this. Nothing was changed.',
      );
    }
    const after = await prepareRestored(ledger, null, { who, because, strangeDrop: highestArchived(paths) });
    const unknownFiles = await unknownArchived(ledger, paths);
    const { totals } = await ledgerHealth(ledger, 'quick');
    if (totals === null) throw new Error('a database whose totals can be read');
    return { ...after, totals, aside: null, compared: false, unknownFiles };
  } finally {
    await disconnect(ledger);
  }
}

/**
 * Records that a person has gone through what restores have lost: rows that are new from now on are sent.
 * @returns how many restores were open.
 */
export async function finish(
  { paths, clock }: LocatedWorkspace,
  who: Decider,
  because: string,
): Promise<number> {
  const ledger = await openExpectedLedger(paths, clock);
  try {
    const { decisions } = (await readState(ledger, ['work'])).work;
    const restores = decisions.flatMap(({ kind, decisionId }) => (kind === 'restore' ? [decisionId] : []));
    if (restores.length > 0) await openDecision(ledger, { kind: 'finish-restores', restores, who, because });
    return restores.length;
  } finally {
    await disconnect(ledger);
  }
}

/** null where there is no marker, or it is damaged as well: a restore mends both. */
function markerIfReadable({ root }: WorkspacePaths): Marker | null {
  try {
    return readMarker(root);
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}

/** The present ledger with its totals; whatever is wrong with it, a backup may replace it. */
async function presentLedger(
  { ledger: path }: WorkspacePaths,
  clock: Clock,
): Promise<RestorePlan['present']> {
  if (ledgerBytes(path) === 0) return null;
  try {
    const ledger = openLedgerToRead(path, clock);
    if (ledger === null) return { path, totals: null };
    try {
      return { path, totals: (await ledgerHealth(ledger, 'quick')).totals };
    } finally {
      closeLedger(ledger);
    }
  } catch (error) {
    if (error instanceof OperatorError || sqliteCode(error) !== null) return { path, totals: null };
    throw error;
  }
}

/** Files of archive/ whose bytes no published drop of their source has. */
async function unknownArchived(ledger: Ledger, { archive }: WorkspacePaths): Promise<string[]> {
  const unknown: string[] = [];
  for (const source of await foldersIn(archive)) {
    const folder = join(archive, source);
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name);
      if (!(await isTakenIn(ledger, source, await sha256Of(path)))) unknown.push(path);
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
