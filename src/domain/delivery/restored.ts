import type { State } from '../submission.js';
import { type Standing, type Transition, transitionBy } from './intent.js';

/** Accepts a submission that the ledger before the restore had accepted; null where this ledger knows that already. */
export function deliveredElsewhere(own: Standing): Transition | null {
  return own.state === 'accepted' ? null : transitionBy(own, 'accepted', { cause: 'delivered-after-backup' });
}

/**
 * Holds a submission that a restored ledger would send without a person's decision: one that waits, or one that the end of its
 * learner's hold would release. A submission that was no further in the ledger before the restore stays as it is.
 * @param elsewhere its state in the ledger before the restore; null: that ledger doesn't have it, or can't be read.
 */
export function heldAsRestored(own: Standing, elsewhere: State | null): Transition[] {
  if (elsewhere === own.state || elsewhere === 'waiting' || elsewhere === 'held') return [];
  const held = transitionBy({ id: own.id, state: 'waiting' }, 'guarded', { cause: 'restored' });
  return own.state === 'waiting' ? [held] : [transitionBy(own, 'released', { cause: 'restored' }), held];
}
