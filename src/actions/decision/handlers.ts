import type { DecisionKind } from '../../ledger/decisions/decision-log.js';
import { type DecisionHandler, moveRowsHandler } from './handler.js';

/** How each kind of decision is carried out; undefined: it is done once it is recorded, or waits for a person. Loaded on use. */
export const HANDLERS: Readonly<Partial<Record<DecisionKind, () => Promise<DecisionHandler>>>> = {
  rerun: async () => moveRowsHandler,
  dismiss: async () => moveRowsHandler,
  map: async () => (await import('./map-learner.js')).mapHandler,
  forget: async () => (await import('../forgetting/handler.js')).forgetHandler,
  purge: async () => (await import('../purging/handler.js')).purgeHandler,
  restage: async () => (await import('../restage/handler.js')).restageHandler,
  correct: async () => (await import('../correct/handler.js')).correctHandler,
};
