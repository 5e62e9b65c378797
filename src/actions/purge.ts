import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isoFromMs } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import { OperatorError } from '../domain/operator-error.js';
import { compactLedger, emptyLog, overwriteDeleted } from '../ledger/compact.js';
import { closeDecision } from '../ledger/decision-log.js';
import { type KeptBlock, keptBlocksAfter } from '../ledger/erase-cells.js';
import { beginErasure } from '../ledger/erasures.js';
import { isAnyonePushing, isLease, takeLease, underLease } from '../ledger/leases.js';
import { thisProcess } from '../ledger/owner.js';
import {
  added,
  type Cleared,
  countRefusals,
  dropsPublishedBefore,
  NOTHING_CLEARED,
  type PurgeableDrop,
  purgeBlocks,
  purgeCalls,
  purgeRefusals,
} from '../ledger/purging.js';
import { type Ledger, reading } from '../ledger/query.js';
import { sha256Of } from '../workspace/copy-verified.js';
import { syncFolder } from '../workspace/durable.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { errorCode, ioError } from '../workspace/io-error.js';

/** What is old enough, before anything is done about it. */
export interface PurgePlan {
  /** ISO time: drops published before it. */
  readonly before: string;
  readonly drops: readonly PurgeableDrop[];
  /** Reasons of files that were set aside. */
  readonly refusals: number;
  /** Files in archive/ of those drops that have no open row. */
  readonly archived: readonly string[];
}

/** What a purge has done. */
export interface Purged {
  readonly plan: PurgePlan;
  readonly decisionId: number;
  readonly cleared: Cleared;
  readonly refusals: number;
  /** Files that were deleted. */
  readonly deleted: readonly string[];
  /** False while somebody delivers: what was cleared is overwritten, but the file keeps its length until the next purge. */
  readonly compacted: boolean;
}

/** What is cleared in one transaction, some thousand rows: it ends well within a second. */
const BLOCKS_AT_ONCE = 10;

/** SQLite's lock has no queue: a process that pushes asks again after 100 ms at last, and must find it free. */
const ROOM_MS = 110;

/** Works out what a purge would clear; writes nothing. Throws OperatorError for a time that has not come. */
export async function planPurge(ledger: Ledger, paths: WorkspacePaths, before: string): Promise<PurgePlan> {
  requirePast(ledger, before);
  const { drops, refusals } = reading(ledger, () => ({
    drops: dropsPublishedBefore(ledger, before),
    refusals: countRefusals(ledger, before),
  }));
  return { before, drops, refusals, archived: await archivedOf(drops, paths) };
}

/**
 * Clears what the ledger keeps of the content of old rows that nobody has to do with any more. Counts, hashes, keys and
 * times stay, so that nothing is sent again. May be killed and begun again at any moment.
 * @param archive the archived files of drops without open rows are deleted as well.
 */
export async function purge(
  ledger: Ledger,
  paths: WorkspacePaths,
  asked: {
    readonly before: string;
    readonly archive: boolean;
    readonly who: Decider;
    readonly because: string | null;
  },
): Promise<Purged> {
  const { before, archive, who, because } = asked;
  requirePast(ledger, before);
  const lease = takeLease(ledger, 'stage', thisProcess(), null);
  if (!isLease(lease)) throw isStaging(lease.pid);
  return underLease(ledger, lease, async (over) => {
    overwriteDeleted(ledger);
    const plan = await planPurge(ledger, paths, before);
    const decisionId = beginErasure(ledger, { kind: 'purge', who, because, selection: { before, archive } });
    let cleared = NOTHING_CLEARED;
    for (const drop of plan.drops) {
      for (const page of pagesOf(ledger, drop.dropId)) {
        if (over.signal.aborted) throw isStaging(0);
        cleared = added(cleared, purgeBlocks(ledger, page));
        await ledger.clock.sleep(isAnyonePushing(ledger) ? ROOM_MS : 1);
      }
    }
    cleared = { ...cleared, answers: cleared.answers + purgeCalls(ledger, before) };
    const refusals = purgeRefusals(ledger, before);
    const deleted = archive ? plan.archived : [];
    await deleteFiles(deleted);
    // A push would have to wait for the whole of it, and give up.
    const compacted = !isAnyonePushing(ledger);
    if (compacted) compactLedger(ledger);
    closeDecision(ledger, decisionId);
    emptyLog(ledger);
    return { plan, decisionId, cleared, refusals, deleted, compacted };
  });
}

/** A year typed wrongly would clear everything there is, for ever. */
function requirePast(ledger: Ledger, before: string): void {
  const now = isoFromMs(ledger.clock.nowMs());
  if (before <= now) return;
  throw new OperatorError({
    operation: 'purge the ledger',
    subject: '--before',
    message: `--before ${before} has not come yet`,
    hint: `It is ${now} now; name a day or a time that is past. Nothing was changed.`,
  });
}

function* pagesOf(ledger: Ledger, dropId: number): Generator<readonly KeptBlock[]> {
  for (let after = { dropId, firstLine: 0 }; ; ) {
    const found = keptBlocksAfter(ledger, after, BLOCKS_AT_ONCE);
    const page = found.filter((block) => block.dropId === dropId);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
  }
}

/**
 * Files of drops without open rows. A workbook of corrections may be a drop for each of its sheets: it is kept until none
 * of them has any.
 */
async function archivedOf(drops: readonly PurgeableDrop[], paths: WorkspacePaths): Promise<string[]> {
  const inUse = new Set(drops.filter(({ open }) => open > 0).map(({ sha256 }) => sha256));
  const ended = drops.filter(({ sha256 }) => !inUse.has(sha256));
  const found: string[] = [];
  for (const { path, name } of ended.length === 0 ? [] : await filesIn(paths.archive)) {
    // After a restore another drop may have had that number.
    const of = ended.filter(({ dropId }) => name.startsWith(`${dropId}-`));
    const sha256 = of.length === 0 ? null : await sha256Of(path);
    if (of.some((drop) => drop.sha256 === sha256)) found.push(path);
  }
  return found;
}

/** The files of archive/, which has a folder for each source whose inbox they came from. */
async function filesIn(archive: string): Promise<readonly { path: string; name: string }[]> {
  try {
    const entries = await readdir(archive, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => ({ path: join(parentPath, name), name }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw ioError('look for archived files', archive, error);
  }
}

async function deleteFiles(files: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  for (const path of files) {
    try {
      await rm(path, { force: true });
    } catch (error) {
      throw ioError('delete an archived file', path, error);
    }
    folders.add(join(path, '..'));
  }
  for (const folder of folders) await syncFolder(folder);
}

function isStaging(pid: number): OperatorError {
  return new OperatorError({
    operation: 'purge the ledger',
    subject: 'the ledger',
    message: pid === 0 ? 'another process has taken over staging' : `process ${pid} is staging`,
    hint: 'Purge again when it has ended; what was cleared stays cleared.',
  });
}
