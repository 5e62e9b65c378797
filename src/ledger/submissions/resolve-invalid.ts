import type { ResolveRow } from '../../domain/delivery/intent.js';
import type { RowRef } from '../../domain/row-ref.js';
import { change, first, type Ledger, query } from '../store/query.js';
import { closeInvalid } from './open-items.js';

/**
 * Records that a decision has resolved an invalid row. Call in a write transaction.
 * @param by as in the intent; null also where it was dismissed or forgotten.
 */
export async function resolveInvalid(
  ledger: Ledger,
  row: RowRef,
  decisionId: number,
  by: ResolveRow['by'],
): Promise<void> {
  const successor = by !== null && 'row' in by ? by.row : null;
  await change(
    ledger,
    query.insertInto('resolution').values({
      drop_id: row.dropId,
      line: row.line,
      decision_id: decisionId,
      submission_id: by === null || 'row' in by ? null : by.submissionId,
      successor_drop_id: successor?.dropId ?? null,
      successor_line: successor?.line ?? null,
    }),
  );
  await closeInvalid(ledger, row);
}

/** True where a decision has resolved the row. */
export async function isResolved(ledger: Ledger, { dropId, line }: RowRef): Promise<boolean> {
  const resolution = query.selectFrom('resolution').select('line');
  return (
    (await first(ledger, resolution.where('drop_id', '=', dropId).where('line', '=', line))) !== undefined
  );
}
