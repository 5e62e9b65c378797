import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import { pushBench } from './push-bench.js';
import { type Latency, type QuotaUse, quotaUse, rowsFor } from './quota-use.js';
import { QUOTA_METERS, type QuotaWindow } from './quota-windows.js';
import { stage } from './staged-ledger.js';
import { virtualClock } from './virtual-clock.js';

/** A platform, and how to push to it. */
export interface QuotaTrial {
  readonly window: QuotaWindow;
  readonly latency: Latency;
  readonly pace: 'even' | 'burst';
  /** Requests per minute. */
  readonly requests: number;
  /** Minutes' worth of requests to measure, after a first one. */
  readonly fills: number;
}

/** How well the delivery loop uses a quota, with a ledger in memory and in virtual time, token requests included. */
export async function quotaTrial({ window, latency, pace, requests, fills }: QuotaTrial): Promise<QuotaUse> {
  const ledger = openLedger(':memory:', virtualClock());
  try {
    const quota = { requests, perMs: 60_000 };
    const bench = pushBench({
      ledger,
      environment: { quota: { requests, per: '1m' }, pace },
      sandbox: { quota: { ...quota, meter: QUOTA_METERS[window] } },
      latencyMs: latency.draws(),
    });
    const rows = Array.from({ length: rowsFor(fills, requests) }, (_, n) => ({
      user: `learner${n}@example.org`,
    }));
    await stage(ledger, rows);
    const result = await bench.push();
    if (result.kind !== 'drained') throw new Error(`the delivery ended as ${result.kind}`);
    return quotaUse(bench.platform.received, fills, quota);
  } finally {
    closeLedger(ledger);
  }
}
