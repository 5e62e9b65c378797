import { quotaTrial } from '../test/support/quota-trial.js';
import {
  LATENCIES,
  type Latency,
  leastUse,
  type QuotaUse,
  quotaUse,
  rowsFor,
} from '../test/support/quota-use.js';
import { QUOTA_METERS, QUOTA_WINDOWS, type QuotaWindow } from '../test/support/quota-windows.js';
import { deliverThrough } from './limited-delivery.js';
import { type Limiter, RATE_LIMITERS } from './rate-limiters.js';
import { inVirtualTime } from './virtual-timers.js';

/**
 * How Registrar uses a quota of 70 a minute, compared with libraries that limit a rate: requests refused with 429, and the
 * share of the quota that is used while there is work, on platforms that count in different windows, at different
 * latencies. All in virtual time, so every run prints the same:
 *   Registrar         the delivery loop with its ledger, at an even pace; its token call counts
 *   Registrar burst   the same with `pace: burst`
 *   the libraries     each set up as it documents it for 70 calls a minute; one process, nothing else limits them.
 *                     A request that is refused waits for Retry-After and a second, and goes through the limiter again.
 *   floor             60 / (60.5 + latency in seconds), which Registrar promises
 * `npm run bench:quota -- 3` measures three minutes' worth of requests instead of nine. Exits with 1 where Registrar
 * breaks its promise.
 */
const QUOTA = { requests: 70, perMs: 60_000 } as const;
const USUAL_FILLS = 9;

/** Measures one client against one platform. */
type Contender = (window: QuotaWindow, latency: Latency) => Promise<QuotaUse>;

const fills = Number(process.argv[2] ?? USUAL_FILLS);
const OURS: Readonly<Record<string, Contender>> = { Registrar: own('even'), 'Registrar burst': own('burst') };
const OTHERS = Object.entries(RATE_LIMITERS).map(
  ([name, limiterFor]) => [name, limited(limiterFor)] as const,
);

console.log(
  `${rowsFor(fills, QUOTA.requests)} requests at ${QUOTA.requests} a minute in virtual time ` +
    '(Registrar: its clock; libraries: Date and timers).\n' +
    'Of each: requests refused with 429 (none: -), share of the quota used in percent.',
);
let isKept = true;
for (const window of Object.keys(QUOTA_WINDOWS) as QuotaWindow[]) await compare(window);
process.exitCode = isKept ? 0 : 1;
console.log(
  `\nRegistrar: ${isKept ? 'nothing refused, never below the floor' : 'REFUSED OR BELOW THE FLOOR'}`,
);

async function compare(window: QuotaWindow): Promise<void> {
  console.log(`\n${window}: ${QUOTA_WINDOWS[window]}`);
  print('', (latency) => latency.name);
  print('floor', (latency) => percent(leastUse(latency)));
  for (const [name, contender] of [...Object.entries(OURS), ...OTHERS]) {
    const uses = new Map<Latency, QuotaUse>();
    for (const latency of LATENCIES) uses.set(latency, await contender(window, latency));
    print(name, (latency) => shown(uses.get(latency)));
    if (!Object.hasOwn(OURS, name)) continue;
    for (const [latency, { refused, share }] of uses) isKept &&= refused === 0 && share >= leastUse(latency);
  }
}

function own(pace: 'even' | 'burst'): Contender {
  return (window, latency) => quotaTrial({ window, latency, pace, requests: QUOTA.requests, fills });
}

function limited(limiterFor: (requests: number, perMs: number) => Limiter): Contender {
  return (window, latency) =>
    inVirtualTime(async () => {
      const limiter = limiterFor(QUOTA.requests, QUOTA.perMs);
      const rows = rowsFor(fills, QUOTA.requests);
      return quotaUse(
        await deliverThrough(limiter, { ...QUOTA, meter: QUOTA_METERS[window] }, latency, rows),
        fills,
        QUOTA,
      );
    });
}

function shown(use: QuotaUse | undefined): string {
  return use === undefined
    ? ''
    : `${use.refused === 0 ? '-' : use.refused} ${percent(use.share).padStart(5)}`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function print(name: string, cellOf: (latency: Latency) => string): void {
  console.log([name.padEnd(22), ...LATENCIES.map((latency) => cellOf(latency).padStart(11))].join(''));
}
