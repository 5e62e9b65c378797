import { obstacleTo, type Obstacle as SlotObstacle } from '../../../domain/delivery/slot.js';
import type { Ledger } from '../../store/query.js';
import { isSubmissionSound } from '../record/kept-record.js';
import { slotsOf } from '../slots.js';
import type { Selected } from './selection.js';

/** What would keep a row from being sent at once if it were rerun. */
export type Obstacle =
  | SlotObstacle
  /** Its kept record differs from what was staged: it would be held again. */
  | { readonly kind: 'damaged' };

/**
 * Asks the questions before sending about some rows, as if a person had already rerun them. Rows that would be sent at once are
 * left out, also those that would follow each other in one slot.
 */
export async function rerunOutlook(
  ledger: Ledger,
  page: readonly Selected[],
): Promise<ReadonlyMap<number, Obstacle>> {
  const obstacles = new Map<number, Obstacle>();
  const rows = page.filter((row) => row.submissionId !== null);
  for (const { submissionId, code } of rows) {
    if (code === 'damaged' && !(await isSubmissionSound(ledger, submissionId)))
      obstacles.set(submissionId, { kind: 'damaged' });
  }
  const ids = rows.map(({ submissionId }) => submissionId).filter((id) => !obstacles.has(id));
  for (const [id, { own, slot }] of await slotsOf(ledger, ids)) {
    const obstacle = obstacleTo(slot, own);
    if (obstacle !== null) obstacles.set(id, obstacle);
  }
  return obstacles;
}
