import { readMetrics } from '../../ledger/books/read-metrics.js';
import { environmentsOf } from '../../report/status/status.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** A text that is another one as soon as something in the ledger has changed that a person would notice. */
export async function pulse({ ledger, config }: ActionContext): Promise<string> {
  requireInPlace(ledger);
  const { environments, ...counts } = await readMetrics(ledger, environmentsOf(config));
  // Time alone changes how long a pause lasts.
  return JSON.stringify([counts, environments.map(({ pausedForMs: _, ...facts }) => facts)]);
}
