import { statfs } from 'node:fs/promises';
import { readState } from '../../ledger/books/state/read-state.js';
import { ledgerBytes } from '../../ledger/store/open.js';
import { estimatesOf } from '../../report/status/delivery-estimate.js';
import { environmentsOf } from '../../report/status/status.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';
import { cachedFor } from './cached-for.js';

/** The parts of the present state that metrics show: counters and short lists, cheap enough to read every few seconds. */
export const METRIC_PARTS = [
  'submissions',
  'environments',
  'sources',
  'refusedBySource',
  'results',
  'work',
  'alerts',
  'openAttempts',
  'answers',
  'arrivals',
  'versions',
] as const;

/** The work in numbers over time. No learner, no file and no address is among them. */
export type MetricValues = Awaited<ReturnType<ReturnType<typeof metricsReader>>>;

/** Numbers of a moment: no chart needs younger ones. */
const PRESENT = { leastMs: 2_000, times: 20 };

/** An estimate reads the waiting rows where their requests may be shared; then half a second for each 200,000. */
const ESTIMATE = { leastMs: 10_000, times: 50 };

/** Returns a function that reads the metrics. @param context called each time: the configuration may be reloaded. */
export function metricsReader(context: () => ActionContext) {
  const { clock } = context();
  const present = cachedFor(clock, PRESENT, async () => {
    const { ledger, config } = context();
    requireInPlace(ledger);
    return readState(ledger, METRIC_PARTS, { environments: environmentsOf(config) });
  });
  const estimates = cachedFor(clock, ESTIMATE, () =>
    estimatesOf(context(), Object.keys(context().config.environments)),
  );
  return async () => {
    const { paths } = context();
    return {
      ...(await present()),
      estimates: await estimates(),
      ledgerBytes: ledgerBytes(paths.ledger) + ledgerBytes(`${paths.ledger}-wal`),
      /** For this user, on the ledger's file system. */
      freeBytes: await freeBytes(paths.root),
    };
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
