import { sql } from 'kysely';
import { holdsLease, type Lease } from '../leases/leases.js';
import { rowOf } from '../store/by-key.js';
import { change, first, type Ledger, query, writing } from '../store/query.js';
import { withoutReferences } from '../store/sqlite/rewrite-file.js';
import { NOTHING_STAGED, unfinishedDrops, updateDrop } from './drops.js';
import { storeRefusal } from './refused/refused-drops.js';

/** Rows per transaction: few enough to hold the write lock well below a second. */
const DISCARD_BATCH = 20_000;

/** The tables that staging writes for a row. */
const OF_ROWS = ['issue', 'row_part', 'open_item', 'row', 'submission'] as const;

/** Deletes the staged rows of an unpublished drop, in transactions short enough for another process to push meanwhile. */
export async function discardRows(ledger: Ledger, dropId: number): Promise<void> {
  // No row refers to rows of an unpublished drop, and checking that for each row would read the whole ledger each time.
  await withoutReferences(ledger, async () => {
    await updateDrop(ledger, dropId, NOTHING_STAGED);
    await ledger.db.deleteFrom('counter').where('drop_id', '=', dropId).execute();
    for (;;) {
      const batch = query
        .selectFrom('row')
        .select('line')
        .where('drop_id', '=', dropId)
        .orderBy('line', 'desc')
        .limit(sql.lit(1))
        .offset(DISCARD_BATCH);
      const boundary = await first(ledger, batch);
      await writing(ledger, async (ledger) => {
        for (const table of OF_ROWS) {
          const rows = query.deleteFrom(table).where('drop_id', '=', dropId);
          await change(ledger, rows.where('line', '>=', boundary?.line ?? 0));
        }
      });
      if (boundary === undefined) return;
    }
  });
}

/**
 * Withdraws a source's half staged drop, whose file or settings have changed since, as if the file had not arrived. A
 * drop that was refused earlier is refused again. Does nothing where the source has no half staged drop, or where
 * another owner has the stage lease and resumes or withdraws the drop.
 * @param source null: the drops of all sources.
 * @param runId the run that withdraws it; null: none.
 * @param refusal the reason for reports; null: the drop isn't reported.
 */
export async function withdrawDrop(
  ledger: Ledger,
  lease: Lease,
  source: string | null,
  runId: number | null,
  refusal: string | null = null,
): Promise<void> {
  const own = (await unfinishedDrops(ledger)).filter((drop) => source === null || drop.source === source);
  for (const { dropId } of own) {
    if (!(await holdsLease(ledger, lease))) return;
    await discardRows(ledger, dropId);
    await writing(ledger, async (ledger) => {
      const wasRefused = (await rowOf(ledger, 'refused_drop', { drop_id: dropId })) !== undefined;
      const reason = refusal ?? (wasRefused ? 'It changed while it was imported.' : null);
      if (reason !== null) {
        const run = runId === null ? {} : { run_id: runId };
        await updateDrop(ledger, dropId, { state: 'refused', refusal: reason, ...run });
        await storeRefusal(ledger, dropId, 'drop-changed');
        return;
      }
      await ledger.db.deleteFrom('result').where('drop_id', '=', dropId).execute();
      await ledger.db.deleteFrom('arrival').where('drop_id', '=', dropId).execute();
      await ledger.db.deleteFrom('drop_file').where('drop_id', '=', dropId).execute();
    });
  }
}
