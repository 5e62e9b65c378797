import type { SourceConfig } from '../../config/schema.js';
import { noOutcomes, ROW_OUTCOMES } from '../../domain/delivery/correction.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Row } from '../../domain/row.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { pagesOf } from '../../ledger/store/pages.js';
import type { Ledger } from '../../ledger/store/query.js';
import { againPage, type OutcomeCounts } from '../../ledger/submissions/again.js';
import { applyDrop } from '../../ledger/submissions/staging/apply-drop.js';
import type { PreparedRow, StagingTarget } from '../../ledger/submissions/staging/read-rows.js';
import { requireKnownSettings } from '../key-settings.js';
import { stagingTarget } from '../stage-context.js';
import { withSameKeys } from './judge-rows.js';
import { rowReader } from './row-reader.js';

/**
 * Reads rows of a drop with the cells from an open decision, and applies the result. After an interruption, call it
 * again: it resumes. Throws OperatorError where the drop's rows can't be read under the current settings.
 */
export async function correctRows(
  ledger: Ledger,
  drop: PublishedDrop,
  source: SourceConfig,
  rows: readonly Row[],
  decision: AgainDecision,
): Promise<OutcomeCounts> {
  await requireKnownSettings(ledger, source, null);
  const reader = await rowReader(ledger, drop, source);
  if (reader.kind === 'refused') {
    throw new OperatorError({
      operation: 'correct rows',
      subject: drop.file,
      message: reader.issues.map(({ message }) => message).join('; '),
      hint: reader.issues.map(({ remedy }) => remedy).join(' '),
      exit: 'attention',
    });
  }
  const read = rows.map((row) => ({ row: reader.prepare(row) }));
  const judged = await withSameKeys(ledger, reader, read, 'each-other');
  const target = { ...stagingTarget(drop.dropId, source), isCorrection: true };
  return carryRowsAgain(
    ledger,
    target,
    judged.map(({ row }) => row),
    decision,
  );
}

/** A decision that reads rows again. */
export interface AgainDecision {
  readonly decisionId: number;
  readonly runId: number | null;
  /** Runs the steps, each of which is one transaction. */
  carry(pages: AsyncGenerator<void, void, undefined>): Promise<void>;
}

/**
 * Applies rows of a published drop that a decision reads again, page by page. After an interruption, call it again: it
 * resumes.
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
