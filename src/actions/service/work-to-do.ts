import { join } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import { mapSeries } from '../../domain/process/series.js';
import { outagesIn } from '../../ledger/attempts/outages.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { learnersDue } from '../../ledger/submissions/rechecks.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import { claimedFiles } from '../../workspace/claimed/claim-drop.js';
import { listInbox, restsForMs } from '../../workspace/inbox/list-inbox.js';
import type { ActionContext } from '../context.js';
import { HANDLERS } from '../decision/handlers.js';

/** A file in an inbox that a run would import. */
export type Arrival = Awaited<ReturnType<typeof arrivals>>[number];

/**
 * Looks at what has arrived for a source; reads no file, and changes nothing. @returns `mark`: the same text as long as the file
 * is unchanged; for an inbox that can't be read, the reason. `restsForMs`: how long it has to rest until it counts as whole.
 */
export async function arrivals(
  source: SourceConfig,
  { paths, clock }: Pick<ActionContext, 'paths' | 'clock'>,
) {
  try {
    const take = await listInbox(source, paths);
    return take.map((file) => ({
      mark: JSON.stringify(file),
      restsForMs: restsForMs(file, source.stableForMs, clock.nowMs()),
    }));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [{ mark: error.message, restsForMs: 0 }];
  }
}

/**
 * The work that was begun and that no living process is known to do; rows that wait are not part of it. Changes nothing.
 * @returns `decisions`: numbers of those that are not carried out to their end; a living process may still carry out one that
 * needs no lease. `files`: interrupted imports, each with the source whose import resumes it, and a `mark` as of arrivals.
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
    const resumedBy = names.includes(source) ? source : names[0];
    return resumedBy === undefined ? [] : [{ source: resumedBy, mark: `drop ${dropId}` }];
  });
  return { decisions: open, files: [...halfStaged, ...claimed.flat()] };
}

/**
 * True where an environment has something to deliver that no living process delivers: rows that wait, rows that were being sent
 * when their process died, or learners to check again.
 */
export async function awaitsDelivery(
  { ledger, config }: ActionContext,
  environment: string,
): Promise<boolean> {
  requireInPlace(ledger);
  const settings = config.environments[environment];
  if (settings === undefined || settings.paused !== undefined) return false;
  const { leases, waiting, abandoned } = (await readState(ledger, ['work'])).work;
  if (leases.some(({ name, isAlive }) => isAlive && name === `push:${environment}`)) return false;
  return (
    waiting.includes(environment) ||
    abandoned.some((rows) => rows.environment === environment) ||
    (await learnersDue(ledger, environment, settings.recheck)).length > 0
  );
}

/**
 * True where rows wait for an environment and aren't delivered: it can't be used, or the latest delivery broke off.
 * @param isBroken true where this process's latest delivery to it has failed.
 */
export async function isDeliveryBlocked(
  context: ActionContext,
  environment: string,
  isBroken: boolean,
): Promise<boolean> {
  if (isBroken && (await awaitsDelivery(context, environment))) return true;
  const outages = await outagesIn(context.ledger, {});
  return outages.some((outage) => outage.environment === environment && outage.waiting > 0);
}
