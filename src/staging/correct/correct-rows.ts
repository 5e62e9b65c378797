import type { SourceConfig } from '../../config/schema.js';
import { OperatorError } from '../../domain/operator-error.js';
import type { Row } from '../../domain/row.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import type { OutcomeCounts } from '../../ledger/submissions/again.js';
import { requireKnownSettings } from '../key-settings.js';
import { type AgainDecision, carryRowsAgain } from '../restage/carry-rows-again.js';
import { stagingTarget } from '../stage-context.js';
import { withSameKeys } from './judge-rows.js';
import { rowReader } from './row-reader.js';

/**
 * Reads rows of a drop with the cells that an open decision gives them, and carries out what they come to. May be repeated, which
 * picks up what an interrupted call has left. Throws OperatorError where the drop's rows can't be read under today's settings.
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
  const judged = await withSameKeys(ledger, reader, read);
  const target = { ...stagingTarget(drop.dropId, source), isCorrection: true };
  return carryRowsAgain(
    ledger,
    target,
    judged.map(({ row }) => row),
    decision,
  );
}
