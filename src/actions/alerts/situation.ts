import type { AlertSituation } from '../../alerts/rules/conditions.js';
import { oddSize } from '../../alerts/rules/drop-size.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import type { ActionContext } from '../context.js';
import { readHealth } from '../health/read-health.js';

const PARTS = ['sourceCauses', 'shares', 'sizes', 'setAside', 'outages'] as const;

/** All that decides alerts, and what only channels with `details` send. */
export interface Situation extends AlertSituation {
  readonly watched: Pick<PresentState, (typeof PARTS)[number]>;
}

/** Reads the present situation from the ledger, the folders and the settings. */
export async function situationOf(context: ActionContext): Promise<Situation> {
  const { sources, alerts } = context.config;
  const expecting = sources.filter(({ expect }) => expect !== undefined);
  const watched = await readState(context.ledger, PARTS, { sources: expecting.map(({ name }) => name) });
  return {
    settings: alerts,
    watched,
    health: await readHealth(context),
    sizes: watched.sizes.map(({ source, rows }) => {
      const times = expecting.find(({ name }) => name === source)?.expect?.times ?? 0;
      return { source, size: oddSize(rows, times) };
    }),
  };
}
