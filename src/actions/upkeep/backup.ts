import { lstat } from 'node:fs/promises';
import { errorsOf } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import { copyLedger } from '../../ledger/books/balance/ledger-health.js';
import { ledgerName } from '../../ledger/store/ledger-facts.js';
import type { Ledger } from '../../ledger/store/query.js';
import { LEDGER_SUFFIXES } from '../../upkeep/replace-ledger.js';
import { sha256Of } from '../../workspace/files/copy-verified.js';
import { replaceFile } from '../../workspace/files/durable.js';
import { statOf } from '../../workspace/files/entries.js';
import { removeLeftoversBeside } from '../../workspace/files/leftover-files.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type LocatedWorkspace, withReadOnlyLedger } from '../context.js';
import { requireFile } from './backup-copy.js';

/**
 * `balanced`: false for a faithful copy of a ledger whose books don't balance. `damaged`: how many rows are damaged in the copy as in
 * the ledger: their records are not what was written.
 */
export type Backup = Awaited<ReturnType<typeof backup>>;

/**
 * Writes the ledger as it is at one moment into a file for its owner alone, while runs go on. Before the file gets its
 * name, the copy is opened and checked: SQLite's own checks, references, books and counts. Throws OperatorError, and leaves
 * nothing behind, where the copy isn't sound.
 * @param path absolute. @param force a file with this name is replaced, but not by a copy whose books don't balance.
 */
export async function backup(place: LocatedWorkspace, path: string, force: boolean) {
  requireFile(place.paths, 'back up the ledger');
  return withReadOnlyLedger(place, (ledger) => backUp(requireLedger(place.paths, ledger), path, force));
}

/** Throws OperatorError where there has never been a ledger. */
export function requireLedger({ ledger: path }: WorkspacePaths, ledger: Ledger | null): Ledger {
  if (ledger !== null) return ledger;
  throw refusal(path, `there is no ledger at ${path} yet`, 'The first registrar run creates it.');
}

async function backUp(ledger: Ledger, path: string, force: boolean) {
  const present = await statOf(path);
  const isThere = present !== null;
  if (present?.isDirectory()) throw refusal(path, `${path} is a folder`, 'Name a file in it.');
  if (isThere && !force) throw refusal(path, `${path} already exists`, 'Name another file, or add --force.');
  if (LEDGER_SUFFIXES.some((suffix) => path === ledgerName(ledger) + suffix)) {
    throw refusal(path, `${path} belongs to the ledger itself`, 'Name a file on another disk.');
  }
  await removeLeftoversBeside(path, 'write a backup');
  return replaceFile(path, async (temporary) => {
    const { totals, balanced, damaged, fault } = await copyLedger(ledger, temporary);
    if (fault !== null || totals === null) {
      const message = `the copy of ${ledgerName(ledger)} is not sound (${fault}), so it was not kept`;
      const hint =
        'The ledger itself may be damaged; check it: registrar doctor. Earlier backups are unchanged.';
      throw refusal(ledgerName(ledger), message, hint, { exit: 'io' });
    }
    if (isThere && (damaged > 0 || !balanced)) {
      const keeps = `what the ledger keeps of ${countOf(damaged, 'row')} is damaged`;
      const why = damaged > 0 ? keeps : "the ledger's books don't balance";
      const message = `${why}, so the copy may not replace an earlier backup`;
      const hint = 'Check the rows: registrar doctor --deep. Until then back up under another name.';
      throw refusal(path, message, hint, { exit: damaged > 0 ? 'io' : 'unbalanced' });
    }
    const { size: bytes } = await lstat(temporary);
    return { path, totals, balanced, damaged, bytes, sha256: await sha256Of(temporary) };
  });
}

const refusal = errorsOf('back up the ledger');
