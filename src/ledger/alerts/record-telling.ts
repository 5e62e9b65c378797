import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { change, type Ledger, query } from '../store/query.js';

/** How telling went. */
export type TellingEnd =
  | { readonly kind: 'told' }
  /** A sentence of our own, without what a server said. `retryAt`: ISO time before which it isn't tried again. */
  | { readonly kind: 'failed'; readonly error: string; readonly retryAt: string }
  /** Nothing was tried, or it was given up: it is due as before. */
  | { readonly kind: 'put-back' }
  /** It is not to be told any more, and the end of its alert isn't either. */
  | { readonly kind: 'needless' };

/** Records how claimed tellings went, and gives them back where they were not told. */
export async function recordTelling(
  ledger: Ledger,
  tellingIds: readonly number[],
  end: TellingEnd,
): Promise<void> {
  if (tellingIds.length === 0) return;
  const at = isoFromMs(ledger.clock.nowMs());
  const given = { claimed_boot: null, claimed_until_mono_ms: null };
  const ended = query
    .updateTable('telling')
    .where('telling_id', 'in', tellingIds)
    .where('told_at', 'is', null);
  if (end.kind === 'told') await change(ledger, ended.set({ ...given, told_at: at }));
  else if (end.kind === 'put-back') await change(ledger, ended.set(given));
  else if (end.kind === 'needless') {
    await ledger.db
      .deleteFrom('telling')
      .where('telling_id', 'in', tellingIds)
      .where('told_at', 'is', null)
      .execute();
  } else {
    await change(
      ledger,
      ended.set({
        ...given,
        failed_at: sql<string>`coalesce(failed_at, ${at})`,
        tries: sql<number>`tries + 1`,
        error: end.error,
        due_at: end.retryAt,
      }),
    );
  }
}
