import { type Standing, type Transition, transitionBy } from './intent.js';

/** What a restored ledger would send by itself, the replaced ledger may have delivered. */
export function heldAsRestored(own: Standing): Transition[] {
  const held = transitionBy({ id: own.id, state: 'waiting' }, 'guarded', { cause: 'restored' });
  return own.state === 'waiting' ? [held] : [transitionBy(own, 'released', { cause: 'restored' }), held];
}
