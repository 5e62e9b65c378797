import type { AlertSituation } from '../../alerts/rules/conditions.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import type { ActionContext } from '../context.js';
import { readHealth } from '../health/read-health.js';

const PARTS = ['sourceCauses', 'shares', 'setAside', 'outages'] as const;

/** All that decides alerts, and what only channels with `details` send. */
export interface Situation extends AlertSituation {
  readonly watched: Pick<PresentState, (typeof PARTS)[number]>;
}

/** Reads the present situation from the ledger, the folders and the settings. */
export async function situationOf(context: ActionContext): Promise<Situation> {
  return {
    settings: context.config.alerts,
    watched: await readState(context.ledger, PARTS),
    health: await readHealth(context),
  };
}
