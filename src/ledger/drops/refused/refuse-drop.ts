import type { Refusal } from '../../../domain/issue.js';
import { type Ledger, writing } from '../../store/query.js';
import { discardRows } from '../discard-rows.js';
import { type FormattedDrop, findDrop, writeDrop } from '../drops.js';
import { recordDropArrival } from '../record-arrival.js';
import { storeRefusal } from './refused-drops.js';

/** Records that a file is refused, with the reason, after deleting its staged rows. @returns the drop's number. */
export async function refuseDrop(ledger: Ledger, drop: FormattedDrop, refusal: Refusal): Promise<number> {
  const existing = await findDrop(ledger, drop);
  if (existing?.state === 'staging') await discardRows(ledger, existing.dropId);
  return writing(ledger, async (ledger) => recordRefusal(ledger, drop, refusal));
}

/** Records the refusal of a file without staged rows. Call it in a write transaction. @returns the drop's number. */
export async function recordRefusal(
  ledger: Ledger,
  drop: FormattedDrop,
  { code, text }: Refusal,
): Promise<number> {
  const dropId = await writeDrop(ledger, drop, { state: 'refused', refusal: text });
  await storeRefusal(ledger, dropId, code);
  await recordDropArrival(ledger, dropId, drop);
  return dropId;
}
