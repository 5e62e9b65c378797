import type { State } from '../submission.js';
import { type Standing, type Transition, transitionBy } from './intent.js';

/**
 * What a ledger that was set back to a backup does with a submission that the ledger before it had accepted; null where
 * it knows that already.
 */
export function deliveredElsewhere(own: Standing): Transition | null {
  return own.state === 'accepted' ? null : transitionBy(own, 'accepted', { cause: 'delivered-after-backup' });
}

/**
 * Holds a submission that a ledger which was set back to a backup would send without a person's decision: one that waits,
 * or that the hold of its learner would release. One that the ledger before it never got further with stays as it is.
 * @param elsewhere its state in the ledger before; null: it isn't there, or nobody can look.
 */
export function heldAsRestored(own: Standing, elsewhere: State | null): Transition[] {
  if (elsewhere === own.state || elsewhere === 'waiting' || elsewhere === 'held') return [];
  const held = transitionBy({ id: own.id, state: 'waiting' }, 'guarded', { cause: 'restored' });
  return own.state === 'waiting' ? [held] : [transitionBy(own, 'released', { cause: 'restored' }), held];
}
