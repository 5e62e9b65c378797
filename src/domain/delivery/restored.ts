import { type Standing, type Transition, transitionBy } from './intent.js';

/**
 * Holds what a restored ledger would send by itself: a submission that waits, or that the end of its learner's hold
 * releases. The replaced ledger may have delivered it.
 */
export function heldAsRestored(own: Standing): Transition[] {
  const held = transitionBy({ id: own.id, state: 'waiting' }, 'guarded', { cause: 'restored' });
  return own.state === 'waiting' ? [held] : [transitionBy(own, 'released', { cause: 'restored' }), held];
}
