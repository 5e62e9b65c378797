import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { OperatorError } from '../../domain/operator-error.js';
import { openDecision } from '../../ledger/decisions/open-decision.js';
import { type OldContent, planPurge } from '../../ledger/erasure/purge-content.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { ActionContext } from '../context.js';
import { decide } from '../decision/decide.js';
import { archivedOf } from './archived-files.js';
import { type PurgedContent, purgeDeed } from './deed.js';

/** What may be cleared. */
export interface PurgeRequest {
  /** ISO time: what is of drops published before it. */
  readonly before: string;
  /** True: the archived files of drops without open rows are deleted as well. */
  readonly archive: boolean;
}

/** What is old enough, before anything is done about it. */
export interface PurgePlan extends PurgeRequest, OldContent {
  /** Files in archive/ of those drops that have no open row. */
  readonly archived: readonly string[];
}

/** What a purge has done. */
export interface Purged extends PurgedContent {
  readonly decisionId: number;
}

/** Works out what a purge would clear; writes nothing. Throws OperatorError for a time that has not come. */
export async function plan({ ledger, paths }: ActionContext, request: PurgeRequest): Promise<PurgePlan> {
  const { before } = request;
  requirePast(ledger, before);
  const { drops, cleared, refusals } = await planPurge(ledger, before);
  return { ...request, drops, cleared, refusals, archived: await archivedOf(drops, paths) };
}

/**
 * Clears what the ledger keeps of the content of old rows that nobody has to do with any more. Counts, hashes, keys and
 * times stay, so that nothing is sent again. Where this process dies, the next one finishes it.
 */
export async function carryOut(
  context: ActionContext,
  { before, archive }: PurgePlan,
  who: Decider,
  because: string | null,
): Promise<Purged> {
  const asked = { operation: 'purge the ledger', subject: 'the ledger' };
  const facts = { kind: 'purge' as const, who, because, selection: { before, archive } };
  const open = async () => openDecision(context.ledger, facts);
  const { decisionId, done } = await decide(context, purgeDeed, open, { asked });
  return { ...done, decisionId };
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
