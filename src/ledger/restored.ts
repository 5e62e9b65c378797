import { isoFromMs } from '../domain/clock.js';
import type { Decider } from '../domain/decider.js';
import { closeDecision, openDecision } from './decision-log.js';
import { all, first, type Ledger, query, writing } from './query.js';

/**
 * ISO time at which the ledger was set back to a backup, where nobody has settled that yet; null otherwise. What was
 * completed before it, and is new to this ledger, may have been delivered by the one it took the place of.
 */
export function restoredAt(ledger: Ledger): string | null {
  const open = first(
    ledger,
    query
      .selectFrom('decision')
      .select('made_at as madeAt')
      .where('kind', '=', 'restore')
      .where('finished_at', 'is', null)
      .orderBy('made_at', 'desc')
      .limit(1),
  );
  return open?.madeAt ?? null;
}

/**
 * A person has gone through what was lost: rows that are new from now on are sent like any others. Rows that are held
 * stay held. Returns how many restores that settles.
 */
export function settleRestores(ledger: Ledger, who: Decider, because: string): number {
  return writing(ledger, () => {
    const open = all(
      ledger,
      query
        .selectFrom('decision')
        .select('decision_id as id')
        .where('kind', '=', 'restore')
        .where('finished_at', 'is', null),
    ).map(({ id }) => id);
    if (open.length === 0) return 0;
    const selection = { restores: open, settledAt: isoFromMs(ledger.clock.nowMs()) };
    closeDecision(ledger, openDecision(ledger, { kind: 'confirm', who, because, selection }));
    for (const id of open) closeDecision(ledger, id);
    return open.length;
  });
}
