import { type Guarded, goesFirst, guard } from '../../domain/guard.js';
import { isSubmissionSound } from '../../ledger/checksum.js';
import { supersedes, wouldGo } from '../../ledger/claims.js';
import type { Ledger } from '../../ledger/query.js';
import type { Selected } from '../../ledger/selection.js';
import { withSlotMates } from '../../ledger/slot-mates.js';

/** What would keep a row from being sent at once, were it rerun. */
export type Obstacle =
  /** A newer revision is there, which takes its place: it would not be sent. */
  | { readonly kind: 'replaced'; readonly by: number }
  /** What the ledger keeps of it is not what was staged: it would be held again. */
  | { readonly kind: 'damaged' }
  /** One that waits, or is being sent, is about the same learner and content, and goes first. */
  | { readonly kind: 'behind'; readonly id: number };

/**
 * Asks what is asked before a row is sent, of some rows as if they waited already, let pass by a person. Rows that would be
 * sent at once, one after the other where they are about the same, are left out.
 */
export function rerunOutlook(ledger: Ledger, page: readonly Selected[]): ReadonlyMap<number, Obstacle> {
  const obstacles = new Map<number, Obstacle>();
  const rows = page.filter((row) => row.submissionId !== null);
  for (const { submissionId, code } of rows) {
    if (code === 'damaged' && !isSubmissionSound(ledger, submissionId))
      obstacles.set(submissionId, { kind: 'damaged' });
  }
  const environments = new Map(rows.map(({ submissionId, environment }) => [submissionId, environment]));
  const ids = rows.map(({ submissionId }) => submissionId).filter((id) => !obstacles.has(id));
  for (const { own, mates } of withSlotMates(ledger, ids)) {
    const candidate: Guarded = { ...own, state: 'waiting', pass: 'all' };
    const verdict = guard(candidate, mates, false, supersedes(own.operation));
    if (verdict.kind === 'replace') obstacles.set(own.id, { kind: 'replaced', by: verdict.successor });
    if (verdict.kind !== 'blocked') continue;
    // A mate that waits, and that a guard would hold or replace when its turn comes, doesn't go first.
    const first = mates.find(
      (mate) =>
        mate.state === 'sending' ||
        (mate.state === 'waiting' &&
          goesFirst(mate, candidate) &&
          wouldGo(ledger, mate.id, environments.get(own.id))),
    );
    if (first) obstacles.set(own.id, { kind: 'behind', id: first.id });
  }
  return obstacles;
}
