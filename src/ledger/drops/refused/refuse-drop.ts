import { isoFromMs } from '../../../domain/clock.js';
import type { Refusal } from '../../../domain/issue.js';
import { type Ledger, writing } from '../../store/query.js';
import { discardRows, NOTHING_STAGED } from '../discard-rows.js';
import { type FormattedDrop, findDrop } from '../drops.js';
import { noteArrival } from '../record-arrival.js';
import { keepRefusal } from './refused-drops.js';

/**
 * Records that a file could not be taken in, and the reason; rows that were staged are deleted first.
 * @returns the drop's number.
 */
export async function refuseDrop(ledger: Ledger, drop: FormattedDrop, refusal: Refusal): Promise<number> {
  const known = await findDrop(ledger, drop);
  if (known?.state === 'staging') await discardRows(ledger, known.dropId);
  return writing(ledger, async (ledger) => recordRefusal(ledger, drop, refusal));
}

/** Records the refusal of a file without staged rows. Call in a write transaction. @returns the drop's number. */
export async function recordRefusal(
  ledger: Ledger,
  drop: FormattedDrop,
  { code, text }: Refusal,
): Promise<number> {
  const described = {
    state: 'refused' as const,
    refusal: text,
    ...NOTHING_STAGED,
    // The name of this arrival: the report of this run lists the file.
    file_name: drop.fileName,
    run_id: drop.runId,
    taken_at: isoFromMs(ledger.clock.nowMs()),
  };
  const { dropId } = await ledger.db
    .insertInto('drop_file')
    .values({
      source: drop.source,
      ...drop.identity,
      part: drop.part ?? '',
      format: drop.format,
      operation: drop.operation,
      environment: drop.environment,
      ...described,
    })
    .onConflict((conflict) => conflict.columns(['source', 'sha256', 'part']).doUpdateSet(described))
    .returning('drop_id as dropId')
    .executeTakeFirstOrThrow();
  await keepRefusal(ledger, dropId, code);
  await noteArrival(ledger, dropId, drop);
  return dropId;
}
