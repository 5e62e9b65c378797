import type { DecisionKind } from '../../ledger/decisions/decision-log.js';
import type { Deed } from './deed.js';

/**
 * How each kind of decision is carried out; undefined for a kind that is done as soon as it is recorded, or that waits for
 * a person. The code of a deed is loaded when it is needed.
 */
export const DEEDS: Readonly<Partial<Record<DecisionKind, () => Promise<Deed>>>> = {
  rerun: async () => (await import('./move-listed.js')).moveListed,
  dismiss: async () => (await import('./move-listed.js')).moveListed,
  map: async () => (await import('./map-learner.js')).mapDeed,
  forget: async () => (await import('../forgetting/deed.js')).forgetDeed,
  purge: async () => (await import('../purging/deed.js')).purgeDeed,
  restage: async () => (await import('../restage/deed.js')).restageDeed,
  correct: async () => (await import('../correct/deed.js')).correctDeed,
};
