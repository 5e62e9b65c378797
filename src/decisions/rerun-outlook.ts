import { type Guarded, goesFirst, guard } from '../domain/guard.js';
import type { Ledger } from '../ledger/query.js';
import type { Selected } from '../ledger/selection.js';
import { withSlotMates } from '../ledger/slot-mates.js';

/** What would keep a selected row from being sent at once, were it rerun. */
export type Obstacle =
  /** A newer revision is there, which takes its place: it would not be sent. */
  | { readonly kind: 'replaced'; readonly by: number }
  /** One that wasn't selected is about the same learner and content, goes first, and has not been settled. */
  | { readonly kind: 'behind'; readonly id: number };

/**
 * Asks the guards about selected rows as if they waited already, let pass by a person: what would become of them. Rows
 * that would be sent at once, one after the other where they are about the same, are left out.
 */
export function rerunOutlook(ledger: Ledger, selected: readonly Selected[]): ReadonlyMap<number, Obstacle> {
  const ids = new Set(selected.map(({ submissionId }) => submissionId));
  const obstacles = new Map<number, Obstacle>();
  for (const { own, mates } of withSlotMates(ledger, [...ids])) {
    const candidate: Guarded = { ...own, state: 'waiting', pass: 'all' };
    const verdict = guard(candidate, mates, false);
    if (verdict.kind === 'replace') {
      obstacles.set(own.id, { kind: 'replaced', by: verdict.successor });
      continue;
    }
    const first = mates.find(
      (mate) =>
        !ids.has(mate.id) &&
        (mate.state === 'sending' || (mate.state === 'waiting' && goesFirst(mate, candidate))),
    );
    if (first) obstacles.set(own.id, { kind: 'behind', id: first.id });
  }
  return obstacles;
}
