import { join } from 'node:path';
import { mapSeries } from '../../domain/process/series.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import { claimedFiles } from '../../workspace/taken/claim-drop.js';
import type { ActionContext } from '../context.js';
import { HANDLERS } from '../decision/handlers.js';

/**
 * Reads from the ledger and from processing/ the work that was begun and that no living process is known to do; rows that wait are not
 * part of it. Changes nothing.
 * @returns `decisions`: numbers of those that are not carried out to their end; a living process may still carry out one that needs no
 * lease. `files`: interrupted imports, each with the source whose import resumes it, and the same `mark` as long as it is unchanged.
 */
export async function unfinishedWork({
  ledger,
  config,
  paths,
}: Pick<ActionContext, 'ledger' | 'config' | 'paths'>) {
  requireInPlace(ledger);
  const { leases, staging, decisions } = (await readState(ledger, ['work'])).work;
  const open = decisions.flatMap(({ decisionId, kind }) => (kind in HANDLERS ? [decisionId] : []));
  if (leases.some(({ name, isAlive }) => name === 'stage' && isAlive)) return { decisions: open, files: [] };
  const names = config.sources.flatMap(({ name, paused }) => (paused === undefined ? name : []));
  const claimed = await mapSeries(names, async (source) =>
    (await claimedFiles(join(paths.processing, source))).map((file) => ({
      source,
      mark: JSON.stringify(file),
    })),
  );
  // Any import first resumes, or withdraws, the drops that are half staged.
  const halfStaged = staging.flatMap(({ dropId, source }) => {
    const resumedBy = names.find((name) => name === source) ?? names[0];
    return resumedBy === undefined ? [] : [{ source: resumedBy, mark: `drop ${dropId}` }];
  });
  return { decisions: open, files: [...halfStaged, ...claimed.flat()] };
}
