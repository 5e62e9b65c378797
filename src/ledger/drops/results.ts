import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { putRow } from '../store/by-key.js';
import { isAmong } from '../store/dialect.js';
import type { Ledger } from '../store/query.js';

/** Records that a file's result is to be delivered, again where it came again. Call it in a write transaction. */
export async function expectResult(ledger: Ledger, dropId: number): Promise<void> {
  const due_at = isoFromMs(ledger.clock.nowMs());
  const open = { due_at, delivered_at: null, failed_at: null, tries: 0, error: null };
  await putRow(ledger, 'result', { drop_id: dropId }, open);
}

/**
 * Reads the results of imported and refused files that their senders don't have yet, by drop. `importedAt`: when the file
 * was last imported or refused; `publishedAt`: null: the file was refused; `code`: of its refusal; `isMoving`: rows of it
 * wait to be sent, or are being sent; `failedAt` and `error`: null: the target has not failed to take it. Times are ISO.
 */
export async function openResults(ledger: Ledger) {
  const moving = sql<number>`case when exists (select 1 from counter n where n.drop_id = d.drop_id
    and n.state in ('waiting', 'sending') and n.count > 0) then 1 else 0 end`;
  const results = await ledger.db
    .selectFrom('result as r')
    .innerJoin('drop_file as d', 'd.drop_id', 'r.drop_id')
    .leftJoin('refused_drop as u', (join) =>
      join.onRef('u.drop_id', '=', 'd.drop_id').on('d.state', '=', 'refused'),
    )
    .select([
      'r.drop_id as drop',
      'd.source',
      'd.file_name as file',
      'd.taken_at as importedAt',
      'd.published_at as publishedAt',
      'u.code',
    ])
    .select(['r.due_at as dueAt', 'r.failed_at as failedAt', 'r.tries', 'r.error', moving.as('moving')])
    .where('r.delivered_at', 'is', null)
    .where('d.state', '<>', 'staging')
    .orderBy('r.drop_id')
    .execute();
  return results.map(({ moving, ...result }) => ({ ...result, isMoving: moving === 1 }));
}

export type ResultEnd =
  /** `dueAt`: as it was read; where the file has arrived again since, another result is due, and stays due. */
  | { readonly kind: 'delivered'; readonly dueAt: string }
  /**
   * `postponed`: they were not tried, because another one failed. `error`: a sentence without its full stop, neither personal
   * nor with a secret. `retryAt`: ISO time of the next try.
   */
  | { readonly kind: 'failed' | 'postponed'; readonly error: string; readonly retryAt: string };

/** Records how a try to deliver the results of these drops ended. */
export async function recordResult(
  ledger: Ledger,
  dropIds: readonly number[],
  end: ResultEnd,
): Promise<void> {
  const at = isoFromMs(ledger.clock.nowMs());
  const ended =
    end.kind === 'delivered'
      ? { delivered_at: at }
      : {
          failed_at: sql<string>`coalesce(failed_at, ${at})`,
          tries: sql<number>`tries + ${sql.lit(end.kind === 'failed' ? 1 : 0)}`,
          error: end.error,
          due_at: end.retryAt,
        };
  const open = ledger.db
    .updateTable('result')
    .set(ended)
    .where(isAmong('drop_id', dropIds))
    .where('delivered_at', 'is', null);
  await (end.kind === 'delivered' ? open.where('due_at', '=', end.dueAt) : open).execute();
}
