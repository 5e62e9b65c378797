import { readState } from '../../ledger/books/state/read-state.js';
import { environmentsOf } from '../../report/status/status.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';
import { FIGURES_PARTS } from '../monitor/figures.js';

/** A text that is another one as soon as something in the ledger has changed that a person would notice. */
export async function pulse({ ledger, config }: ActionContext): Promise<string> {
  requireInPlace(ledger);
  const { environments, work, alerts, ...counts } = await readState(ledger, FIGURES_PARTS, {
    environments: environmentsOf(config),
  });
  // Time alone changes how long a pause lasts.
  const deliveries = environments.map(({ quota, ...facts }) => ({ ...facts, permits: quota.permits }));
  const open = [work.decisions.length, alerts.open.map(({ kind }) => kind)];
  return JSON.stringify([counts, deliveries, open]);
}
