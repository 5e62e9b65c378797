import type { Refusal } from '../../../domain/issue.js';
import type { Ledger } from '../../store/query.js';

/** Keeps why a file is set aside. Call it in the transaction that sets the file aside. */
export async function keepRefusal(ledger: Ledger, dropId: number, code: Refusal['code']): Promise<void> {
  const drop = await ledger.db
    .selectFrom('drop_file')
    .select('taken_at as takenAt')
    .where('drop_id', '=', dropId)
    .executeTakeFirst();
  if (drop === undefined) throw new Error(`there is no drop ${dropId}`);
  const open = { taken_at: drop.takenAt, code, closed_at: null, decision_id: null };
  await ledger.db
    .insertInto('refused_drop')
    .values({ drop_id: dropId, ...open })
    .onConflict((conflict) => conflict.column('drop_id').doUpdateSet(open))
    .execute();
}
