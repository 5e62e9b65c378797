import type { ReceivedRequest } from '../../src/sandbox/received.js';
import { seededRandom } from '../../src/sandbox/seeded-random.js';

/** How long a request and its answer take. */
export interface Latency {
  readonly name: string;
  readonly meanMs: number;
  /** Latencies for one run: the same ones each time. */
  draws(): () => number;
}

/** From a platform next door to one that can hardly be used; always the same, then as uneven as networks are. */
export const LATENCIES: readonly Latency[] = [
  ...[5, 20, 100, 500, 1_000, 3_000].map((ms) => ({ name: `${ms} ms`, meanMs: ms, draws: () => () => ms })),
  uneven(20, 200),
  uneven(5, 3_000),
];

/** The share of a quota per minute that is used at least while there is work: 99 % at 100 ms. */
export function leastUse(latency: Latency): number {
  return 60 / (60.5 + latency.meanMs / 1_000);
}

/** How a client used its quota, by the log of the platform. */
export interface QuotaUse {
  /** Answered with 429. */
  readonly refused: number;
  /** Accepted requests over allowed ones, after the first fill and while there was work. */
  readonly share: number;
}

/** How many rows `quotaUse` needs to measure so many fills of the quota. */
export function rowsFor(fills: number, requests: number): number {
  return (fills + 1) * requests + 1;
}

/**
 * Counts whole fills of the quota, each from a request to the one that is a quota later: whatever the rhythm, such a
 * stretch begins and ends at the same beat of it. The first fill is left out, since a full bucket is no lasting rate.
 */
export function quotaUse(
  received: readonly ReceivedRequest[],
  fills: number,
  quota: { readonly requests: number; readonly perMs: number },
): QuotaUse {
  const pushed = received.filter(({ path }) => path.startsWith('/api/'));
  const acceptedMs = pushed.filter(({ written }) => written).map(({ atMs }) => atMs);
  const [fromMs, toMs] = [acceptedMs[quota.requests], acceptedMs[(fills + 1) * quota.requests]];
  if (fromMs === undefined || toMs === undefined) {
    throw new Error(`${acceptedMs.length} accepted requests are too few to measure ${fills} fills`);
  }
  return {
    refused: pushed.filter(({ status }) => status === 429).length,
    share: (fills * quota.perMs) / (toMs - fromMs),
  };
}

function uneven(fromMs: number, toMs: number): Latency {
  return {
    name: `${fromMs}-${toMs} ms`,
    meanMs: (fromMs + toMs) / 2,
    draws() {
      const random = seededRandom('latency');
      return () => Math.round(fromMs + random() * (toMs - fromMs));
    },
  };
}
