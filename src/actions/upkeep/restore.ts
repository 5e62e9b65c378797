import type { Decider } from '../../domain/decider.js';
import { OperatorError } from '../../domain/operator-error.js';
import { filterSeries } from '../../domain/process/series.js';
import { ledgerHealth } from '../../ledger/books/balance/ledger-health.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { prepareRestored } from '../../ledger/decisions/after-restore.js';
import { findCorrectedFile } from '../../ledger/decisions/corrected-rows.js';
import { publishedDrops } from '../../ledger/drops/published-drops.js';
import { openDecision } from '../../ledger/erasure/open-decision.js';
import { ledgerName } from '../../ledger/store/ledger-facts.js';
import { type LedgerMark, ledgerMark } from '../../ledger/store/ledger-mark.js';
import { closeLedger, ledgerBytes, withLedger } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type SeizedLedger, seizeLedger } from '../../ledger/store/sqlite/seize-ledger.js';
import { openExpectedLedger } from '../../upkeep/expected-ledger.js';
import { readMarker } from '../../upkeep/marker.js';
import { replaceLedger } from '../../upkeep/replace-ledger.js';
import { filesIn, highestArchived } from '../../workspace/claimed/archived.js';
import { sha256Of } from '../../workspace/files/copy-verified.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import type { LocatedWorkspace } from '../context.js';
import { examineCopy, openCopy, refusal, refuseUnfit, requireFile, withCopy } from './backup-copy.js';

/**
 * `totals`: how far the backup goes. `aside`: the path of the replaced ledger; null where there was none. `unknownFiles`: files in
 * archive/ that the restored ledger doesn't know: their rows may have been delivered.
 */
export type Restored = Awaited<ReturnType<typeof restore>>;

/**
 * Replaces the ledger by a backup. Everything is checked and prepared in a copy beside the ledger; the last step is
 * one rename, so that a crash leaves the old ledger or the new one. Works with any registrar.yaml, even a wrong one.
 * Throws OperatorError, having changed nothing, where the backup isn't sound or is of another workspace's ledger, or
 * a process has the ledger open.
 * @param file the absolute path of a backup.
 */
export async function restore(
  { paths, clock }: LocatedWorkspace,
  file: string,
  who: Decider,
  because: string,
) {
  requireFile(paths, 'restore a backup');
  await refuseUnfit(file, paths);
  return withCopy(paths, file, async ({ path }) => {
    const { totals } = await examineCopy(path, file, markerIfReadable(paths), 'full', clock);
    const ledger = openCopy(path, file, clock);
    let present: SeizedLedger | null = null;
    try {
      present = ledgerBytes(paths.ledger) > 0 ? seizeLedger(paths.ledger) : null;
      const restored = await prepared(ledger, present, paths, who, because);
      const mark = ledgerMark(ledger);
      closeLedger(ledger);
      const aside = await replaceLedger(paths, present, clock, { path, mark, as: 'before-restore' });
      return { ...restored, totals, aside };
    } finally {
      closeLedger(ledger);
      present?.close();
    }
  });
}

/** The ledger is made fit to replace another one. */
async function prepared(
  ledger: Ledger,
  present: SeizedLedger | null,
  paths: WorkspacePaths,
  who: Decider,
  because: string,
) {
  const foreignDropMax = highestArchived(paths);
  const after = await prepareRestored(ledger, present, { who, because, foreignDropMax });
  return { ...after, unknownFiles: await unknownArchived(ledger, paths) };
}

/**
 * Prepares the ledger in a database that was set back by the database's own tools: nothing that may have been
 * delivered since is sent by itself. Throws OperatorError for a ledger in a file, and while some process works on the
 * ledger.
 */
export async function prepareSetBack(
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
  return withLedger(await openExpectedLedger(paths, clock), async (ledger) => {
    const { leases } = (await readState(ledger, ['work'])).work;
    const busy = leases.find(({ isAlive }) => isAlive);
    if (busy !== undefined) {
      throw refusal(
        ledgerName(ledger),
        `process ${busy.pid} works on the ledger (${busy.name})`,
        'Stop every service and run on every machine, then repeat this. Nothing was changed.',
      );
    }
    const restored = await prepared(ledger, null, paths, who, because);
    const { totals } = await ledgerHealth(ledger, 'quick');
    if (totals === null) throw new Error('a database whose totals can be read');
    return { ...restored, totals, aside: null };
  });
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
  return withLedger(await openExpectedLedger(paths, clock), async (ledger) => {
    const { decisions } = (await readState(ledger, ['work'])).work;
    const restores = decisions.flatMap(({ kind, decisionId }) => (kind === 'restore' ? [decisionId] : []));
    if (restores.length > 0) await openDecision(ledger, { kind: 'finish-restores', restores, who, because });
    return restores.length;
  });
}

/** null where there is no marker, or it is damaged as well: a restore mends both. */
function markerIfReadable({ root }: WorkspacePaths): LedgerMark | null {
  try {
    return readMarker(root);
  } catch (error) {
    if (error instanceof OperatorError) return null;
    throw error;
  }
}

/** Files of archive/ whose bytes don't count: as a drop of their source, or as corrections, which may be in any inbox. */
async function unknownArchived(ledger: Ledger, { archive }: WorkspacePaths): Promise<string[]> {
  const unknown = await filterSeries(filesIn(archive), async ({ source, path }) => {
    const sha256 = await sha256Of(path);
    const drops = await publishedDrops(ledger, { sha256 });
    return (
      !drops.some((drop) => drop.source === source) &&
      (await findCorrectedFile(ledger, sha256, null)) === null
    );
  });
  return unknown.map(({ path }) => path);
}
