import type { RowRef } from '../../domain/row-ref.js';
import { first, type Ledger, query } from '../store/query.js';
import { closeInvalid } from './open-items.js';

/**
 * Records that a decision has resolved an invalid row. Call in a write transaction.
 * @param submissionId what it became or repeats; null: it was dismissed, skipped or forgotten.
 */
export async function resolveInvalid(
  ledger: Ledger,
  row: RowRef,
  decisionId: number,
  submissionId: number | null,
): Promise<void> {
  await ledger.db
    .insertInto('resolution')
    .values({
      drop_id: row.dropId,
      line: row.line,
      decision_id: decisionId,
      submission_id: submissionId,
    })
    .execute();
  await closeInvalid(ledger, row);
}

/** True where a decision has resolved the row. */
export async function isResolved(ledger: Ledger, { dropId, line }: RowRef): Promise<boolean> {
  const resolution = query.selectFrom('resolution').select('line');
  return (
    (await first(ledger, resolution.where('drop_id', '=', dropId).where('line', '=', line))) !== undefined
  );
}
