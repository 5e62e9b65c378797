import type { Refusal } from '../../../domain/issue.js';
import { change, first, type Ledger, query } from '../../store/query.js';

/** Keeps why a file is set aside. Call it in the transaction that sets the file aside. */
export async function keepRefusal(ledger: Ledger, dropId: number, code: Refusal['code']): Promise<void> {
  const drop = await first(
    ledger,
    query.selectFrom('drop_file').select('taken_at as takenAt').where('drop_id', '=', dropId),
  );
  if (drop === undefined) throw new Error(`there is no drop ${dropId}`);
  const open = { taken_at: drop.takenAt, code, closed_at: null, decision_id: null };
  await change(
    ledger,
    query
      .insertInto('refused_drop')
      .values({ drop_id: dropId, ...open })
      .onConflict((conflict) => conflict.column('drop_id').doUpdateSet(open)),
  );
}
