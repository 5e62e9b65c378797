import { noOutcomes, ROW_OUTCOMES } from '../../domain/delivery/correction.js';
import { pagesOf } from '../../ledger/store/pages.js';
import type { Ledger } from '../../ledger/store/query.js';
import { againPage, type OutcomeCounts } from '../../ledger/submissions/again.js';
import { applyDrop } from '../../ledger/submissions/staging/apply-drop.js';
import type { PreparedRow, StagingTarget } from '../../ledger/submissions/staging/read-rows.js';

/** The decision by which rows are read again. */
export interface AgainDecision {
  readonly decisionId: number;
  readonly runId: number | null;
  /** Carries out one transaction for each step. */
  carry(pages: AsyncGenerator<void, void, undefined>): Promise<void>;
}

/**
 * Carries out rows of a published drop that a decision reads again, page by page. May be repeated, which picks up what an
 * interrupted call has left.
 */
export async function carryRowsAgain(
  ledger: Ledger,
  target: StagingTarget,
  rows: readonly PreparedRow[],
  { decisionId, runId, carry }: AgainDecision,
): Promise<OutcomeCounts> {
  const counts = noOutcomes();
  await carry(pages());
  await carry(applyDrop(ledger, target.dropId, runId));
  return counts;

  async function* pages(): AsyncGenerator<void> {
    for (const page of pagesOf(rows)) {
      const done = await againPage(ledger, { ...target, decisionId, runId }, page);
      for (const name of ROW_OUTCOMES) counts[name] += done[name];
      yield;
    }
  }
}
