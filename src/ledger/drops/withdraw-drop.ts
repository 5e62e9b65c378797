import { sql } from 'kysely';
import { holdsLease, type Lease } from '../leases/leases.js';
import { first, type Ledger, query, writing } from '../store/query.js';
import { discardRows } from './discard-rows.js';
import { keepRefusal } from './refused/keep-refusal.js';

/**
 * Undoes the beginning of a drop whose file or settings have changed since, as if the file had not come in. A drop that was
 * refused earlier is refused again. Does nothing where the drop isn't half staged, or where the stage lease has gone to another
 * owner, who resumes or withdraws the drop.
 * @param runId the run that does so; null: none does. @param refusal why the drop is refused, where reports must say so; null: they need not.
 */
export async function withdrawDrop(
  ledger: Ledger,
  lease: Lease,
  dropId: number,
  runId: number | null,
  refusal: string | null = null,
): Promise<void> {
  if (!(await isHalfStaged(ledger, dropId)) || !(await holdsLease(ledger, lease))) return;
  await discardRows(ledger, dropId);
  await writing(ledger, async (ledger) => {
    const words =
      refusal ?? ((await wasRefused(ledger, dropId)) ? 'It changed while it was taken in.' : null);
    if (words !== null) {
      const run = runId === null ? {} : { run_id: runId };
      const refused = { state: 'refused' as const, refusal: words, ...run };
      await ledger.db.updateTable('drop_file').set(refused).where('drop_id', '=', dropId).execute();
      await keepRefusal(ledger, dropId, 'drop-changed');
      return;
    }
    await ledger.db.deleteFrom('arrival').where('drop_id', '=', dropId).execute();
    await ledger.db.deleteFrom('drop_file').where('drop_id', '=', dropId).execute();
  });
}

async function isHalfStaged(ledger: Ledger, dropId: number): Promise<boolean> {
  const staging = query.selectFrom('drop_file').select('drop_id').where('state', '=', sql.lit('staging'));
  return (await first(ledger, staging.where('drop_id', '=', dropId))) !== undefined;
}

async function wasRefused(ledger: Ledger, dropId: number): Promise<boolean> {
  const known = query.selectFrom('refused_drop').select('drop_id').where('drop_id', '=', dropId);
  return (await first(ledger, known)) !== undefined;
}
