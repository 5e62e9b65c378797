import { grouped } from '../../src/domain/grouped.js';
import type { SandboxPlatform } from '../../src/sandbox/platform.js';
import { isOverQuota, type ReceivedRequest } from '../../src/sandbox/received.js';

/** What a sandbox has received, in numbers. */
export function statsOf({ received: log, quota: { perMs } }: Pick<SandboxPlatform, 'received' | 'quota'>) {
  const byStatus = [...grouped(log, ({ status }) => String(status ?? 'none'))];
  const counted = log.filter((entry) => entry.counted && entry.clientId !== null);
  const byClient = [...grouped(counted, ({ clientId }) => clientId).values()];
  return {
    requests: log.length,
    /** By status; `none` counts the answers that were dropped. */
    byStatus: Object.fromEntries(byStatus.map(([status, requests]) => [status, requests.length])),
    /** How many 429 had an exceeded quota as their reason; those of faults are not counted. */
    overQuota: log.filter(isOverQuota).length,
    /** Most counted requests of one client id within any period of the quota's length, wherever it begins. */
    mostInAnyWindow: Math.max(0, ...byClient.map((requests) => mostWithin(requests, perMs))),
    /** Requests that wrote a completion for the second time or later. */
    repeatedWrites: log.filter((entry) => (entry.write ?? 0) > 1).length,
  };
}

/** Periods are half open: two requests exactly `perMs` apart are never in one. */
function mostWithin(requests: readonly ReceivedRequest[], perMs: number): number {
  let most = 0;
  let first = 0;
  for (const [last, { atMs }] of requests.entries()) {
    while (atMs - (requests[first]?.atMs ?? atMs) >= perMs) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
