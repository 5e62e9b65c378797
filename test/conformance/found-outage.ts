import type { Condition } from '../../src/domain/alerts/alert.js';
import type { Reconciliation } from '../../src/ledger/alerts/reconcile-alerts.js';

/** When the outage began, which is when the ledgers of the tests are opened. */
export const START = '2026-03-02T08:00:00.000Z';

export const DOWN: Condition = {
  kind: 'environment',
  subject: 'main',
  code: 'outage',
  facts: {
    state: 'failed',
    since: START,
    lastGoodAt: null,
    message: "Environment main can't be used.",
    remedy: 'Wait.',
  },
};

/** One outage, and one channel, which sends outages at once. */
export const FOUND: Reconciliation = {
  conditions: [DOWN],
  unknown: [],
  channels: [{ name: 'ops', kinds: ['environment'] }],
  recoverAfterMs: 0,
  claimMs: 300_000,
};
