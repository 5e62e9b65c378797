import { rm } from 'node:fs/promises';
import type { Clock } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { prepareRestored } from '../../ledger/decisions/after-restore.js';
import { ledgerMark } from '../../ledger/store/ledger-mark.js';
import { ledgerBytes, openLedger, withLedger } from '../../ledger/store/open.js';
import { type SeizedLedger, seizeLedger } from '../../ledger/store/sqlite/seize-ledger.js';
import { LEDGER_SUFFIXES, removeLeftoverLedgers, replaceLedger } from '../../upkeep/replace-ledger.js';
import { highestArchived } from '../../workspace/claimed/archived.js';
import { ioError } from '../../workspace/files/io-error.js';
import { temporaryPath } from '../../workspace/files/leftover-files.js';
import { type LocatedWorkspace, withReadOnlyLedger } from '../context.js';
import { requireFile } from './backup-copy.js';

/**
 * Makes an empty ledger where the workspace's own is gone or can't be used, and there is no backup. What was
 * delivered before is unknown: rows with a completion before now are held until a person has finished the restore,
 * and the quota counts as used for a full period. Throws OperatorError, having changed nothing, where the ledger is
 * sound or a process has it open.
 * @returns the path of the ledger that was there; null where there was none.
 */
export async function newLedger({ paths, clock }: LocatedWorkspace, who: Decider): Promise<string | null> {
  requireFile(paths, 'make a new ledger');
  await requireUnusable({ paths, clock });
  const path = temporaryPath(paths.root);
  let present: SeizedLedger | null = null;
  try {
    await removeLeftoverLedgers(paths.root);
    const mark = await makeEmpty(path, clock, who, highestArchived(paths));
    present = ledgerBytes(paths.ledger) > 0 ? seizeLedger(paths.ledger) : null;
    return await replaceLedger(paths, present, clock, { path, mark, as: 'before-new' });
  } catch (error) {
    throw ioError('make a new ledger', paths.ledger, error);
  } finally {
    present?.close();
    for (const suffix of LEDGER_SUFFIXES) await rm(path + suffix, { force: true });
  }
}

async function makeEmpty(path: string, clock: Clock, who: Decider, foreignDropMax: number) {
  return withLedger(openLedger(path, clock), async (ledger) => {
    // The restore stays open: a person finishes it like any other.
    await prepareRestored(ledger, null, { who, because: 'a new ledger', foreignDropMax });
    return ledgerMark(ledger);
  });
}

async function requireUnusable(workspace: LocatedWorkspace): Promise<void> {
  try {
    await withReadOnlyLedger(workspace, async () => {});
  } catch (error) {
    if (error instanceof OperatorError && error.exit === 'io') return;
    throw error;
  }
  const { ledger } = workspace.paths;
  const message = `${ledger} is not missing: it can be used, or there has never been one`;
  const hint = 'Nothing was changed. See what is wrong with it: registrar doctor.';
  throw errorsOf('make a new ledger')(ledger, message, hint);
}
