import { type RawBuilder, sql } from 'kysely';
import { isOpenRefusal } from '../drops/refused/refused-drops.js';
import { erased, isKept } from '../store/personal.js';
import { change, count, type Ledger, query } from '../store/query.js';
import { erasing } from './compact.js';

/** Condition on `drop as d`: it was set aside before the ISO time and is closed, and its reason is still kept. */
const isOldRefusal = (before: string): RawBuilder<boolean> =>
  sql<boolean>`(d.state = 'refused' and d.taken_at < ${before} and d.refusal <> ${ERASED_REFUSAL}
    and not ${isOpenRefusal})`;

/** Counts the kept reasons of files that were set aside before the ISO time and are closed. */
export async function countRefusals(ledger: Ledger, before: string): Promise<number> {
  return count(ledger, query.selectFrom('drop_file as d').where(isOldRefusal(before)));
}

/**
 * Clears these reasons, and those why something of a returned file was left, if that was decided before: a reason may repeat text
 * of the file. The reasons of open files are still needed. Returns how many files.
 */
export async function purgeRefusals(ledger: Ledger, before: string): Promise<number> {
  const old = query.selectFrom('drop_file as d').select('d.drop_id').where(isOldRefusal(before));
  const clear = query.updateTable('drop_file').set({ refusal: ERASED_REFUSAL }).where('drop_id', 'in', old);
  const issues = query.updateTable('correction_issue').set(erased('correction_issue'));
  const isOld = sql<boolean>`decision_id in (select x.decision_id from decision x where x.finished_at < ${before})`;
  return erasing(ledger, async (ledger) => {
    await change(ledger, issues.where(isKept('correction_issue')).where(isOld));
    return await change(ledger, clear);
  });
}

/** The text that replaces a reason. */
export const ERASED_REFUSAL = 'The reason was erased.';
