import { type Standing, type Transition, transitionBy } from './intent.js';

/**
 * Holds a submission that a restored ledger would send without a person's decision: one that waits, or one that the end of its
 * learner's hold would release. The replaced ledger may have delivered it.
 */
export function heldAsRestored(own: Standing): Transition[] {
  const held = transitionBy({ id: own.id, state: 'waiting' }, 'guarded', { cause: 'restored' });
  return own.state === 'waiting' ? [held] : [transitionBy(own, 'released', { cause: 'restored' }), held];
}
