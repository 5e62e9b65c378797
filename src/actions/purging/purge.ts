import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import { OperatorError } from '../../domain/operator-error.js';
import { openDecision } from '../../ledger/erasure/open-decision.js';
import { type OldContent, planPurge } from '../../ledger/erasure/purge-content.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { ActionContext } from '../context.js';
import { decide } from '../decision/decide.js';
import { archivedOf } from './archived-files.js';
import { type PurgedContent, purgeHandler } from './handler.js';

/** What may be cleared. */
export interface PurgeRequest {
  /** ISO time: the content of drops that were published before it may be cleared. */
  readonly before: string;
  /** True: the archived files of drops without open rows are deleted as well. */
  readonly archive: boolean;
}

/** What a purge would clear. */
export interface PurgePlan extends PurgeRequest, OldContent {
  /** Files in archive/ of drops without open rows. */
  readonly archived: readonly string[];
}

/** What a purge has done. */
export interface Purged extends PurgedContent {
  readonly decisionId: number;
}

/** Works out what a purge would clear; writes nothing. Throws OperatorError for a time in the future. */
export async function plan({ ledger, paths }: ActionContext, request: PurgeRequest): Promise<PurgePlan> {
  const { before } = request;
  requirePast(ledger, before);
  const old = await planPurge(ledger, before);
  return { ...request, ...old, archived: await archivedOf(old, { ledger, paths }) };
}

/**
 * Clears the content of old closed rows from the ledger. Counts, hashes, keys and times stay, so that nothing is sent
 * again. If this process dies, the next one finishes the purge.
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
  const { decisionId, done } = await decide(context, purgeHandler, open, { asked });
  return { ...done, decisionId };
}

/** Throws OperatorError for a time in the future: a mistyped year would clear everything for ever. */
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
